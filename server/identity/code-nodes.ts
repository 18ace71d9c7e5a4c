/** The nodes of the flows by code: which address, which code, and on. Pure. */
import type { CodeKind } from "./codes.ts";
import { anchor, input, MAX_EMAIL, submit, type UiNode } from "./nodes.ts";
import { labels } from "./texts.ts";

/** The code may be typed with spaces. */
const MAX_CODE = 20;

/** First: the address. */
export function addressNodes(): UiNode[] {
  return [
    input(
      "code",
      { name: "email", type: "email", required: true, autocomplete: "email", maxlength: MAX_EMAIL },
      labels.email,
    ),
    submit("code", labels.proceed),
  ];
}

/** Then: the code, or another mail. */
export function codeNodes(kind: CodeKind, address: string): UiNode[] {
  return [
    input(
      "code",
      {
        name: "code",
        type: "text",
        required: true,
        autocomplete: "one-time-code",
        maxlength: MAX_CODE,
        pattern: "[0-9 ]+",
      },
      kind === "recovery" ? labels.recoveryCode : labels.verificationCode,
    ),
    submit("code", labels.proceed),
    submit("code", labels.resend, { name: "email", value: address }),
  ];
}

/** Last: on to where it began. */
export function doneNodes(href: string): UiNode[] {
  return [anchor("code", "continue", href, labels.proceed)];
}
