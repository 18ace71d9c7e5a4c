/** What the identity service tells about people: one function that every flow calls, for the audit and for observers. */
import type { Observe } from "#server/observe/observation.ts";
import type { SessionMethod } from "./store/sessions.ts";

type IdentityAction =
  | "sign-in"
  | "sign-in-failed"
  | "sign-out"
  | "registration"
  | "recovery"
  | "verification"
  | "settings-change"
  | "session-ended"
  | "invitation"
  | "invitation-revoked"
  | "identity-change"
  | "identity-removed";

export interface IdentityEvent {
  action: IdentityAction;
  /** Whose account it is; null when nobody has that address. */
  personId: string | null;
  /** As it was typed, where no account was found by it. */
  email: string | null;
  /** The browser's address as the web saw it. */
  client: string | null;
  /** How it was proved. */
  method?: SessionMethod;
  /** Who did it, where that is somebody else. */
  by?: string | null;
  /** Of a failure: why; of a change of the settings: which section. */
  reason?: string;
}

/** Writes an event down. It may fail: the flow goes on, and the failure is reported. */
export type NoteEvent = (event: IdentityEvent) => Promise<void>;

/** Tells observers and the audit; never throws. */
export function createNotes(observe: Observe, write: NoteEvent): NoteEvent {
  return async (event) => {
    if (event.personId !== null && event.action === "sign-in")
      observe({ kind: "identity.signed-in", identity: event.personId });
    if (event.personId !== null && event.action === "registration")
      observe({ kind: "identity.registered", identity: event.personId });
    try {
      await write(event);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      observe({ kind: "warning", message: `The audit could not note a ${event.action}: ${reason}` });
    }
  };
}
