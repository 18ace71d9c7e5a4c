/** What administrators do with other people's accounts: invite, change, deactivate, remove, end sessions. */
import type { Role } from "#app/contract/access.ts";
import type { NoteEvent } from "./audit.ts";
import type { Courier } from "./courier.ts";
import type { Links } from "./links.ts";
import { invitationMail } from "./mail.ts";
import { isEmail, normaliseEmail, type Traits } from "./registration.ts";
import type { AccountChanges } from "./store/account-changes.ts";
import type { Identity, IdentityStore } from "./store/identities.ts";
import type { Invitation, InvitationStore } from "./store/invitations.ts";
import type { Session, SessionStore } from "./store/sessions.ts";
import { digest, newToken } from "./tokens.ts";

/** Days an invitation stays open. */
const INVITATION_DAYS = 7;

/** Who is invited; `role` null gives none. `invitedBy` is a person's id. */
export interface Invite {
  email: string;
  first?: string;
  last?: string;
  role?: Role | null;
  invitedBy: string | null;
}
/** `link` registers its holder, once; `mailed` says whether it is on its way by mail. */
export interface Invited {
  id: string;
  link: string;
  mailed: boolean;
}
export interface IdentityChange {
  email?: string;
  first?: string;
  last?: string;
}
export type ChangeRefusal = { refused: "unknown" | "exists" | "email" };

/** What `people` may do through the identity service; all of it checks no rights, which is the API's. */
export interface Accounts {
  /** Refused: "email" is no e-mail address, "exists" has an account. */
  invite(invite: Invite): Promise<Invited | { refused: "exists" | "email" }>;
  /** The newest first; those that are over too. */
  pendingInvitations(): Promise<Invitation[]>;
  /** A new link, which voids the old; null when nobody of that id waits for one. */
  resendInvitation(id: string, by: string | null): Promise<Invited | null>;
  /** Takes the invitation back and removes the account that waits; false when nobody of that id waits. */
  revokeInvitation(id: string, by: string | null): Promise<boolean>;
  /** Only what is given changes. Another e-mail is unverified. */
  updateIdentity(id: string, change: IdentityChange, by: string | null): Promise<Identity | ChangeRefusal>;
  /** Inactive ends every session and open link at once; false when there is no such identity. */
  setState(id: string, state: "active" | "inactive", by: string | null): Promise<boolean>;
  /** For good: sessions, tokens and roles go, the person stays in the history. False when there is no such identity. */
  remove(id: string, by: string | null): Promise<boolean>;
  /** The live sessions of a person, the newest first. */
  sessionsOf(personId: string): Promise<Session[]>;
  /** False when this person has no such session. */
  endSession(personId: string, sessionId: string, by: string | null): Promise<boolean>;
}

interface Needs {
  identities: IdentityStore;
  changes: AccountChanges;
  invitations: InvitationStore;
  sessions: SessionStore;
  courier: Courier;
  links: Links;
  note: NoteEvent;
  now: () => Date;
}

export function createAccounts({
  identities,
  changes,
  invitations,
  sessions,
  courier,
  links,
  note,
  now,
}: Needs): Accounts {
  const noted = (action: Parameters<NoteEvent>[0]["action"], personId: string, by: string | null) =>
    note({ action, personId, email: null, client: null, by });

  /** The link, and its mail where mail is sent; the mail is queued with it or not at all. */
  async function sendInvitation(id: string, email: string, invitedBy: string | null): Promise<Invited> {
    const token = newToken();
    const expiresAt = new Date(now().getTime() + INVITATION_DAYS * 86_400_000);
    const link = links.page("registration", { setup: token });
    const mailed = courier.isOpen;
    await invitations.save({ identityId: id, tokenHash: digest(token), invitedBy, expiresAt, mailed }, now());
    const mail = invitationMail({ link: courier.absolute(link), days: INVITATION_DAYS });
    if (mailed) await courier.queue({ ...mail, recipient: email, expiresAt, isWithheld: false });
    return { id, link, mailed };
  }

  return {
    async invite({ email: typed, first, last, role = null, invitedBy }) {
      const email = normaliseEmail(typed);
      if (!isEmail(email)) return { refused: "email" };
      const traits = traitsOf(email, first, last);
      const created = await identities.create(
        { traits, passwordHash: null, role },
        { noSuchAccount: true },
        now(),
      );
      if ("refused" in created) return { refused: "exists" };
      await note({ action: "invitation", personId: created.id, email, client: null, by: invitedBy });
      return sendInvitation(created.id, email, invitedBy);
    },

    pendingInvitations: invitations.pending,

    async resendInvitation(id, by) {
      const invitation = await invitations.find(id);
      if (!invitation) return null;
      await noted("invitation", id, by);
      return sendInvitation(invitation.id, invitation.email, by);
    },

    async revokeInvitation(id, by) {
      const revoked = await invitations.revoke(id);
      if (revoked) await noted("invitation-revoked", id, by);
      return revoked;
    },

    async updateIdentity(id, change, by) {
      const email = change.email === undefined ? undefined : normaliseEmail(change.email);
      if (email !== undefined && !isEmail(email)) return { refused: "email" };
      const changed = await changes.changeTraits(id, { ...change, ...(email && { email }) }, now());
      if (!("refused" in changed)) await noted("identity-change", id, by);
      return changed;
    },

    async setState(id, state, by) {
      const known = await changes.setState(id, state, now());
      if (known) await noted("identity-change", id, by);
      return known;
    },

    async remove(id, by) {
      const removed = await changes.remove(id);
      if (removed) await noted("identity-removed", id, by);
      return removed;
    },

    sessionsOf: (personId) => sessions.ofPerson(personId, now()),

    async endSession(personId, sessionId, by) {
      const ended = await sessions.endOf(personId, sessionId);
      if (ended) await noted("session-ended", personId, by);
      return ended;
    },
  };
}

function traitsOf(email: string, first = "", last = ""): Traits {
  const name = { ...(first.trim() && { first: first.trim() }), ...(last.trim() && { last: last.trim() }) };
  return { email, ...(Object.keys(name).length > 0 && { name }) };
}
