/**
 * The built-in identity service: who people are, how they sign in, and who stands behind a credential. It speaks the
 * public Ory Kratos API (the browser reaches it as `/api/.ory/*`), so a real Kratos can take its place.
 */
import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import type pg from "pg";
import type { Property } from "#app/contract/features.ts";
import type { Observe } from "#server/observe/observation.ts";
import type { Smtp } from "#server/mail/smtp.ts";
import { createAccessTokens, type TokenVerdict } from "./access-tokens.ts";
import { createAccounts, type Accounts } from "./accounts.ts";
import { createNotes, type NoteEvent } from "./audit.ts";
import { createCodes } from "./codes.ts";
import { createCourier } from "./courier.ts";
import { createFactors } from "./factors/index.ts";
import { createFirstRun } from "./first-run.ts";
import { createApp } from "./http/app.ts";
import { createKnownBrowsers } from "./known-browsers.ts";
import { createLimits } from "./limits.ts";
import { createLinks } from "./links.ts";
import { createOpenRegistration } from "./open-registration.ts";
import type { LoginPart, SettingsPart } from "./parts.ts";
import { passwordLogin, passwordSettings } from "./password-parts.ts";
import { profileSettings } from "./profile-part.ts";
import { createSignIn, type Judgement } from "./sign-in.ts";
import { createSocialParts } from "./social/parts.ts";
import { createProviders, type SocialProvider } from "./social/provider.ts";
import { createAccessTokenStore } from "./store/access-tokens.ts";
import { createAccountChanges } from "./store/account-changes.ts";
import { createCodeStore } from "./store/codes.ts";
import { createCourierStore } from "./store/courier.ts";
import { createFlowStore } from "./store/flows.ts";
import { createIdentityStore } from "./store/identities.ts";
import { createInvitationStore } from "./store/invitations.ts";
import { createSessionStore, type SignedIn } from "./store/sessions.ts";
import { createSocialLinkStore } from "./store/social-links.ts";
import { digest } from "./tokens.ts";
import { createVerification } from "./verification.ts";

export type { SignedIn };
export type { Accounts, ChangeRefusal, IdentityChange, Invite, Invited } from "./accounts.ts";
export type { IdentityEvent, NoteEvent } from "./audit.ts";
export type { SocialProvider } from "./social/provider.ts";
export { SESSION_COOKIE } from "./http/browser.ts";

export interface IdentityNeeds {
  /** A pool as the owner of the database: the API's roles see none of these tables. */
  pool: pg.Pool;
  /** Where people reach the product (PUBLIC_URL); null when that is not known, then addresses are paths. */
  publicUrl: string | null;
  secureCookies: boolean;
  observe: Observe;
  /** The key of the installation, from which those of codes and secrets are made; absent: good for one process. */
  key?: string;
  /** The mail server; null or absent: no mail is sent, recovery and verification say so. */
  smtp?: Smtp | null;
  /** Where people reach us, for links in mails, where that is not PUBLIC_URL. */
  webUrl?: string | null;
  /** Providers whose accounts people may sign in with, which needs `publicUrl`; absent: none. */
  social?: readonly SocialProvider[];
  /** Writes the audit; absent: nowhere. */
  noteEvent?: NoteEvent;
  /** Properties that the installation lays down, which come before those of the database; absent: none. */
  localProperties?: () => Promise<readonly Property[]>;
  now?: () => Date;
}

export interface IdentityService extends Accounts {
  /** To be mounted at `/kratos`, before any authentication. */
  app: Hono;
  /**
   * Who is signed in with this session token (the value of `ory_kratos_session`); null when nobody is (any more).
   * `cookies`: the identity service's cookies it came with, which one elsewhere wants to see.
   */
  sessionOf(token: string, cookies?: string): Promise<SignedIn | null>;
  /** Whom an access token stands for, or the status and text of the refusal. `client` as for `passwordLogin`. */
  verifyAccessToken(raw: string, client?: string | null): Promise<TokenVerdict>;
  /** HTTP Basic: e-mail and password with every call. `client` is the caller's address, where it is known. */
  passwordLogin(email: string, password: string, client?: string | null): Promise<Judgement>;
  createAccessToken(personId: string, name: string, expiresAt: Date | null): Promise<string>;
  setupLink(): Promise<string | null>;
  createAdmin(email: string, password: string): Promise<boolean>;
  recoveryLink(email: string): Promise<string>;
  /** Takes all second factors of a person away, who has lost them; passkeys stay. `by` is a person's id. */
  removeSecondFactors(personId: string, by: string | null): Promise<void>;
  /** The same for whoever has the machine; nothing happens when nobody has that address. */
  removeSecondFactorsOf(email: string): Promise<void>;
  /** Sends mail that could not be sent before, and gives up what is too late. For the background job. */
  tendMail(): Promise<{ sent: number; abandoned: number }>;
  /** Ends mail that is being sent; it will be sent again. */
  stop(): Promise<void>;
  /** Removes what is over: flows, sessions, failed sign-ins. For the housekeeping loop; safe on several processes. */
  cleanUp(): Promise<{ flows: number; sessions: number; attempts: number }>;
}

export function createIdentity({
  pool,
  publicUrl,
  secureCookies,
  observe,
  key = randomBytes(32).toString("hex"),
  smtp = null,
  webUrl = null,
  social: offered = [],
  noteEvent = async () => undefined,
  localProperties = async () => [],
  now = () => new Date(),
}: IdentityNeeds): IdentityService {
  const flows = createFlowStore(pool);
  const sessions = createSessionStore(pool);
  const identities = createIdentityStore(pool);
  const limits = createLimits(pool, now);
  const knownBrowsers = createKnownBrowsers(key, now);
  const changes = createAccountChanges(pool);
  const invitations = createInvitationStore(pool);
  const links = createLinks(publicUrl);
  const note = createNotes(observe, noteEvent);
  const courier = createCourier({
    store: createCourierStore(pool),
    smtp,
    webUrl: publicUrl ?? webUrl,
    observe,
    now,
  });
  const signIn = createSignIn({ identities, limits, observe, now });
  const accessTokens = createAccessTokens({
    store: createAccessTokenStore(pool),
    noteLogin: identities.noteLogin,
    limits,
    now,
  });
  const firstRun = createFirstRun({ flows, identities, links, note, now });
  const store = { flows, sessions, identities, invitations };
  const codes = createCodes({ codes: createCodeStore(pool), identities, courier, links, key, now });
  const verification = createVerification({ flows, codes, courier, links, now });
  const openRegistration = createOpenRegistration({ identities, courier, localProperties, now });

  // Another way to sign in, or another section of the settings, is another line here.
  const linked = createSocialLinkStore(
    pool,
    offered.map(({ id }) => id),
  );
  const social = createSocialParts(
    createProviders(offered, (id) => links.service(`methods/oidc/callback/${id}`)),
    linked,
    (message) => observe({ kind: "warning", message }),
  );
  const factors = createFactors({ pool, limits, key, publicUrl, linked });
  const loginParts: LoginPart[] = [
    passwordLogin(signIn, factors.hasPassword),
    ...factors.loginParts,
    ...social.loginParts,
  ];
  const settingsParts: SettingsPart[] = [
    profileSettings(changes, verification),
    passwordSettings(identities),
    ...social.settingsParts,
    ...factors.settingsParts,
  ];

  async function removeSecondFactors(personId: string, by: string | null) {
    await factors.removeAll(personId);
    const reason = by === null ? "second factors removed by command" : "second factors removed";
    await note({ action: "identity-change", personId, email: null, client: null, by, reason });
  }

  return {
    app: createApp({
      store,
      changes,
      codes,
      courier,
      verification,
      openRegistration,
      limits,
      note,
      links,
      loginParts,
      settingsParts,
      social,
      knownBrowsers,
      publicUrl,
      secureCookies,
      observe,
      now,
    }),
    async sessionOf(token) {
      const session = await sessions.find(digest(token), now());
      // Whoever has a second factor is not in before giving it.
      if (!session || session.owesSecond) return null;
      const { personId, name, email, avatar, roles, isAgent } = session;
      return { personId, name, email, avatar, roles, isAgent };
    },
    verifyAccessToken: accessTokens.verify,
    async passwordLogin(email, password, client = null) {
      const judgement = await signIn.judgeRepeatedly(email, password, client);
      if ("refused" in judgement) {
        await note({ action: "sign-in-failed", personId: null, email, client, reason: judgement.refused });
        return judgement;
      }
      // A password alone is not enough for who has a second factor, which cannot be sent this way.
      return (await factors.hasSecond(judgement.person.personId)) ? { refused: "credentials" } : judgement;
    },
    createAccessToken: accessTokens.create,
    ...firstRun,
    removeSecondFactors,
    async removeSecondFactorsOf(email) {
      const account = await identities.findAccount(email.trim().toLowerCase());
      if (account) await removeSecondFactors(account.person.personId, null);
    },
    ...createAccounts({ identities, changes, invitations, sessions, courier, links, note, now }),
    tendMail: courier.tend,
    stop: courier.stop,
    async cleanUp() {
      signIn.forgetOld();
      return {
        flows: await flows.removeOld(now()),
        sessions: await sessions.removeExpired(now()),
        attempts: await limits.removeOld(),
      };
    },
  };
}
