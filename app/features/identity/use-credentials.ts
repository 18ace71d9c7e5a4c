import { useEffect, useRef } from "react";
import type { FlowPart } from "./flow-forms.ts";

/**
 * Makes the buttons of a form ask the browser for a credential (WebAuthn), the only part of signing in that needs a
 * script. Its code is loaded only by a form that has such a button.
 */
export function useCredentials(part: FlowPart) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const place = form.current;
    const calls = part.fields.flatMap((field) => {
      if (field.kind !== "trigger" && field.kind !== "hidden") return [];
      const pressed = field.kind === "trigger" && field.call ? [{ name: field.name, call: field.call }] : [];
      return field.onLoad ? [...pressed, { name: "", call: field.onLoad }] : pressed;
    });
    if (!place || calls.length === 0) return;
    const leave = new AbortController();
    void import("./credentials.client.ts").then(({ offerCredentials }) => {
      if (!leave.signal.aborted) offerCredentials(place, calls, leave.signal);
    });
    return () => leave.abort();
  }, [part]);
  return form;
}
