/** What lets somebody register: the first run's link, an invitation, or that registration is open. */
import { problems } from "../problem.ts";
import type { Invitation } from "../store/invitations.ts";
import type { Service } from "./service.ts";

export const CLOSED = {
  setup:
    "This set-up link is not valid any more: it was used, or it is too old. A start without accounts prints a new one.",
  link: "This set-up link is not valid any more: it was used, or it is too old. Ask an administrator for a new one.",
  empty:
    "Registration is not open. Nobody has an account yet: open the set-up link that was printed when the product started.",
  people: "Registration is not open. Ask an administrator for an account.",
  mail: "Registration is not open: this installation cannot send e-mail, so nobody could prove an address. Ask an administrator for an account.",
} as const;

/** A link that is open, or the property; with an invitation the account is there already. */
export type Way = { setup: Buffer } | { open: true } | { invitation: Invitation; hash: Buffer };

/** Whether somebody may register whose address another provider vouches for. */
export async function isOpen({ openRegistration }: Service): Promise<boolean> {
  const door = await openRegistration.door();
  return door === "open" || door === "no mail";
}

/**
 * What lets this registration through, by the SHA-256 of the token of its link, if it has one.
 * @throws Problem self_service_flow_disabled
 */
export async function wayOf(service: Service, secretHash: Buffer | null): Promise<Way> {
  const { store, openRegistration, social, now } = service;
  if (secretHash) {
    if (await store.flows.isSetupOpen(secretHash, now())) return { setup: secretHash };
    const invitation = await store.invitations.opened(secretHash, now());
    if (invitation) return { invitation, hash: secretHash };
  }
  const door = await openRegistration.door();
  const canProve = door === "open" || (door === "no mail" && social.registrationNodes().length > 0);
  if (canProve) return { open: true };
  if (secretHash) throw problems.registrationClosed(door === "empty" ? CLOSED.setup : CLOSED.link);
  if (door === "empty") throw problems.registrationClosed(CLOSED.empty);
  throw problems.registrationClosed(door === "no mail" ? CLOSED.mail : CLOSED.people);
}
