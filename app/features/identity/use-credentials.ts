import { useWired } from "#app/ui/parts/use-wired.ts";
import type { CredentialButton } from "./credentials.client.ts";
import type { FlowPart } from "./flow-forms.ts";

const load = () => import("./credentials.client.ts");

/**
 * Makes the buttons of a form ask the browser for a credential (WebAuthn), the only part of signing in that needs a
 * script. Its code is loaded only by a form that has such a button. `key` is the form's own: a new one is a new form.
 */
export function useCredentials(part: FlowPart, key: string) {
  const buttons = buttonsOf(part);
  return useWired<HTMLFormElement>(buttons.length > 0 ? JSON.stringify(buttons) : null, key, load);
}

function buttonsOf({ fields }: FlowPart): CredentialButton[] {
  return fields.flatMap((field) => {
    if (field.kind !== "trigger" && field.kind !== "hidden") return [];
    const pressed = field.kind === "trigger" && field.call ? [{ name: field.name, call: field.call }] : [];
    return field.onLoad ? [...pressed, { name: "", call: field.onLoad }] : pressed;
  });
}
