import { Form, useLocation, useNavigation } from "@remix-run/react";
import { Fragment } from "react";
import type { ButtonLook } from "#app/ui/button.tsx";
import { Or } from "#app/ui/frame/auth-card.tsx";
import { useNonce } from "#app/ui/frame/nonce.ts";
import { Notice } from "#app/ui/notice.tsx";
import { FlowPiece } from "./flow-field.tsx";
import { accountOf, formsOf, skipsValidation, type FlowPart } from "./flow-forms.ts";
import type { FlowField, FlowMessage, FlowScript, FlowView } from "./flow-view.ts";
import { useCredentials } from "./use-credentials.ts";

const TONES = { info: "info", error: "unhealthy", success: "healthy" } as const;

/**
 * A flow of the identity service as plain forms (facts/ui-screens §2.3): its messages, then its ways in their order. They
 * post to the page itself, so they work without JavaScript and the page relays what comes back.
 */
export function FlowForm({
  flow,
  action,
  whole = false,
}: {
  flow: FlowView;
  action: string;
  /** The answer is another document, also where scripts run. */
  whole?: boolean;
}) {
  return (
    <div className="grid gap-2">
      {flow.messages.length > 0 ? (
        <div className="mb-2 grid gap-2">
          <FlowMessages messages={flow.messages} />
        </div>
      ) : null}
      {formsOf(flow).map((part, index) => (
        <Fragment key={`${flow.id} ${part.group}`}>
          {index > 0 ? <Or /> : null}
          <FlowPartForm
            flow={flow}
            part={part}
            action={action}
            look={index === 0 ? "primary" : "secondary"}
            whole={whole}
          />
        </Fragment>
      ))}
      <FlowScripts flow={flow} />
    </div>
  );
}

/** What the service says of the whole flow; a refusal is announced. */
export function FlowMessages({ messages }: { messages: FlowMessage[] }) {
  return messages.map(({ text, tone }) => (
    <Notice key={text} tone={TONES[tone]}>
      {text}
    </Notice>
  ));
}

/** What completes a form that no `method` does: a provider elsewhere, a security key. */
const LEADS_ON: ReadonlySet<FlowField["kind"]> = new Set(["link", "trigger"]);

/** One form of a flow. `look` is that of the button that completes it. */
export function FlowPartForm({
  flow,
  part,
  action,
  look,
  whole = false,
}: {
  flow: FlowView;
  part: FlowPart;
  action: string;
  look: ButtonLook;
  whole?: boolean;
}) {
  const isPending = useNavigation().state !== "idle";
  const { key } = useLocation(); // a form that was answered begins anew, so that no password stays in it
  const form = useCredentials(part, key);
  const account = accountOf(flow, part);
  const main = part.fields.find((field) => field.kind === "submit" && field.name === "method");
  return (
    <Form
      key={key}
      ref={form}
      method="post"
      action={action}
      preventScrollReset
      reloadDocument={whole}
      className="grid gap-2"
      data-group={part.group}
    >
      {account === null ? null : (
        <input type="text" autoComplete="username" defaultValue={account} readOnly hidden />
      )}
      {part.fields.map((field, index) => (
        <FlowPiece
          key={`${flow.id} ${index}`}
          field={field}
          scope={part.group}
          look={field === main || (!main && LEADS_ON.has(field.kind)) ? look : "secondary"}
          skips={"name" in field && skipsValidation(part, field)}
          isPending={isPending}
        />
      ))}
    </Form>
  );
}

/** Scripts of our own address that the service asks for; others our policy would refuse, and no form needs them. */
export function FlowScripts({ flow }: { flow: FlowView }) {
  const nonce = useNonce();
  return flow.fields
    .filter((field): field is FlowScript => field.kind === "script" && /^\/(?![/\\])/.test(field.src))
    .map(({ src, integrity }) => (
      <script key={src} src={src} integrity={integrity} nonce={nonce} async suppressHydrationWarning />
    ));
}
