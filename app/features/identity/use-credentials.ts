import { useEffect, useRef } from "react";
import type { CredentialButton } from "./credentials.client.ts";
import type { FlowPart } from "./flow-forms.ts";

/**
 * Makes the buttons of a form ask the browser for a credential (WebAuthn), the only part of signing in that needs a
 * script. Its code is loaded only by a form that has such a button. `key` is the form's own: a new one is a new form.
 */
export function useCredentials(part: FlowPart, key: string) {
  const form = useRef<HTMLFormElement>(null);
  const written = JSON.stringify(buttonsOf(part)); // a page that looks again must not end a question that is open
  useEffect(() => {
    const place = form.current;
    const buttons = JSON.parse(written) as CredentialButton[];
    if (!place || buttons.length === 0) return;
    const leave = new AbortController();
    void import("./credentials.client.ts").then(({ offerCredentials }) => {
      if (!leave.signal.aborted) offerCredentials(place, buttons, leave.signal);
    });
    return () => leave.abort();
  }, [written, key]);
  return form;
}

function buttonsOf({ fields }: FlowPart): CredentialButton[] {
  return fields.flatMap((field) => {
    if (field.kind !== "trigger" && field.kind !== "hidden") return [];
    const pressed = field.kind === "trigger" && field.call ? [{ name: field.name, call: field.call }] : [];
    return field.onLoad ? [...pressed, { name: "", call: field.onLoad }] : pressed;
  });
}
