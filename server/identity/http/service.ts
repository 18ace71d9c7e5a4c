/** What the endpoints share: stores, clock, links, and the answers every flow gives in the same way. */
import type { Observe } from "#server/observe/observation.ts";
import type { Links } from "../links.ts";
import type { Assurance, LoginPart, SettingsPart } from "../parts.ts";
import type { FlowStore } from "../store/flows.ts";
import type { IdentityStore } from "../store/identities.ts";
import type { SessionStore } from "../store/sessions.ts";

export interface Service {
  store: { flows: FlowStore; sessions: SessionStore; identities: IdentityStore };
  links: Links;
  /** Ways to sign in and sections of the settings, in the order in which they are drawn. */
  loginParts: readonly LoginPart[];
  settingsParts: readonly SettingsPart[];
  assurance: Assurance;
  publicUrl: string | null;
  secureCookies: boolean;
  now: () => Date;
  observe: Observe;
}
