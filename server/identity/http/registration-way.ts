/** What lets somebody register: the first run's link, an invitation, or that registration is open. */
import { problems } from "../problem.ts";
import type { Permit } from "../store/identities.ts";
import type { Invitation } from "../store/invitations.ts";
import type { Service } from "./service.ts";

export const CLOSED = {
  setup:
    "This set-up link is not valid any more: it was used, or it is too old. A start without accounts prints a new one.",
  link: "This set-up link is not valid any more: it was used, or it is too old. Ask an administrator for a new one.",
  empty:
    "Registration is not open. Nobody has an account yet: open the set-up link that was printed when the product started.",
  people: "Registration is not open. Ask an administrator for an account.",
} as const;

/** A link that is open, or the property; with an invitation the account is there already. */
export type Way = Permit | { invitation: Invitation; hash: Buffer };

/** Whether somebody may register without a link. Never while there is nobody, or a stranger could come before the admin. */
export async function isOpen({ store }: Service): Promise<boolean> {
  return !(await store.identities.isEmpty()) && (await store.identities.isRegistrationOpen());
}

/**
 * What lets this registration through, by the SHA-256 of the token of its link, if it has one.
 * @throws Problem self_service_flow_disabled
 */
export async function wayOf(service: Service, secretHash: Buffer | null): Promise<Way> {
  const { store, now } = service;
  if (secretHash) {
    if (await store.flows.isSetupOpen(secretHash, now())) return { setup: secretHash };
    const invitation = await store.invitations.opened(secretHash, now());
    if (invitation) return { invitation, hash: secretHash };
  }
  if (await isOpen(service)) return { open: true };
  const empty = await store.identities.isEmpty();
  if (secretHash) throw problems.registrationClosed(empty ? CLOSED.setup : CLOSED.link);
  throw problems.registrationClosed(empty ? CLOSED.empty : CLOSED.people);
}
