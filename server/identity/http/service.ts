/** What the endpoints share: stores, clock, links, and the answers every flow gives in the same way. */
import type { Observe } from "#server/observe/observation.ts";
import type { NoteEvent } from "../audit.ts";
import type { Codes } from "../codes.ts";
import type { Courier } from "../courier.ts";
import type { KnownBrowsers } from "../known-browsers.ts";
import type { Limits } from "../limits.ts";
import type { Links } from "../links.ts";
import type { OpenRegistration } from "../open-registration.ts";
import type { LoginPart, SettingsPart } from "../parts.ts";
import type { Social } from "../social/parts.ts";
import type { AccountChanges } from "../store/account-changes.ts";
import type { FlowStore } from "../store/flows.ts";
import type { IdentityStore } from "../store/identities.ts";
import type { InvitationStore } from "../store/invitations.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Verification } from "../verification.ts";

export interface Service {
  store: {
    flows: FlowStore;
    sessions: SessionStore;
    identities: IdentityStore;
    invitations: InvitationStore;
  };
  changes: AccountChanges;
  codes: Codes;
  courier: Courier;
  verification: Verification;
  openRegistration: OpenRegistration;
  limits: Limits;
  note: NoteEvent;
  links: Links;
  /** Ways to sign in and sections of the settings, in the order in which they are drawn. */
  loginParts: readonly LoginPart[];
  settingsParts: readonly SettingsPart[];
  /** Accounts elsewhere that people sign in with; none where no provider is configured. */
  social: Social;
  knownBrowsers: KnownBrowsers;
  publicUrl: string | null;
  secureCookies: boolean;
  now: () => Date;
  observe: Observe;
}
