/** How people get in without being in: the set-up link of an empty installation, the unattended admin, recovery links. */
import { randomUUID } from "node:crypto";
import type { NoteEvent } from "./audit.ts";
import type { Links } from "./links.ts";
import { hashPassword } from "./passwords.ts";
import { isEmail, normaliseEmail, passwordComplaints } from "./registration.ts";
import type { FlowStore } from "./store/flows.ts";
import type { IdentityStore } from "./store/identities.ts";
import { digest, newToken } from "./tokens.ts";

/** Days a set-up link stays open; a start without accounts prints a new one. */
const SETUP_DAYS = 7;
/** Minutes a recovery link stays open. */
const RECOVERY_MINUTES = 60;

interface Needs {
  flows: FlowStore;
  identities: IdentityStore;
  links: Links;
  note: NoteEvent;
  now: () => Date;
}

export function createFirstRun({ flows, identities, links, note, now }: Needs) {
  return {
    /**
     * The one-time link whose registration becomes admin; null once there is any account. Each process that starts
     * prints its own; the first registration voids them all.
     */
    async setupLink(): Promise<string | null> {
      if (!(await identities.isEmpty())) return null;
      const token = newToken();
      const expiresAt = new Date(now().getTime() + SETUP_DAYS * 86_400_000);
      await flows.saveSecret(
        { id: randomUUID(), kind: "setup", hash: digest(token), identityId: null },
        now(),
        expiresAt,
      );
      return links.page("registration", { setup: token });
    },

    /**
     * Makes sure an admin of that e-mail exists (PILOTHOUSE_ADMIN_EMAIL and PILOTHOUSE_ADMIN_PASSWORD). An existing
     * account is left as it is, password included. Returns whether one was created.
     * @throws Error with a sentence for whoever set the variables
     */
    async createAdmin(email: string, password: string): Promise<boolean> {
      const address = normaliseEmail(email);
      if (!isEmail(address)) throw new Error(`"${email}" is not an e-mail address.`);
      if (await identities.findAccount(address)) return false;
      const complaint = passwordComplaints(password, address)[0];
      if (complaint) throw new Error(complaint.message.text);
      const traits = { email: address, name: { first: "Admin" } };
      const passwordHash = await hashPassword(password);
      const created = await identities.create(
        { traits, passwordHash, role: "admin" },
        { noSuchAccount: true },
        now(),
      );
      if ("refused" in created) return false;
      await note({ action: "registration", personId: created.id, email: address, client: null });
      return true;
    },

    /**
     * A link that signs its holder in once, within the hour, to choose a new password.
     * @throws Error with a sentence for whoever asked, when there is no such active account
     */
    async recoveryLink(email: string): Promise<string> {
      const account = await identities.findAccount(normaliseEmail(email));
      if (!account) throw new Error(`There is no account with the e-mail address ${email}.`);
      if (!account.active) throw new Error(`The account of ${email} is inactive.`);
      const id = randomUUID();
      const token = newToken();
      const expiresAt = new Date(now().getTime() + RECOVERY_MINUTES * 60_000);
      const identityId = account.person.personId;
      await flows.saveSecret({ id, kind: "recovery", hash: digest(token), identityId }, now(), expiresAt);
      return links.page("recovery", { flow: id, token });
    },
  };
}
