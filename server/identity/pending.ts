/**
 * A registration that waits for the code from its mail, kept beside the verification flow and never shown: before that
 * there is no account, whatever the address (docs/decisions/0104). Pure.
 */
import type { Traits } from "./registration.ts";

export interface Pending {
  /** What the identity will be called. */
  id: string;
  traits: Traits;
  passwordHash: string;
}

const NAME = "registration";

/** As a flow keeps it; of no registration nothing. */
export const keptOf = (pending: Pending | null): Record<string, unknown> =>
  pending === null ? {} : { [NAME]: pending };

/** The registration that waits for this flow's code, or null. Only we write it, so its shape is known. */
export const pendingOf = ({ context }: { context: Readonly<Record<string, unknown>> }): Pending | null =>
  (context[NAME] as Pending | undefined) ?? null;
