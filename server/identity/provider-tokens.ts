/**
 * Bearer tokens of a hosted sign-in provider (facts/backend-http.md §2, mode "clerk"): JWTs that its published keys
 * signed, for us, now, and for the organisation we serve. Whoever brings one is known from then on.
 */
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyResult } from "jose";
import type { LinkedAccountStore } from "./store/linked-accounts.ts";
import type { SignedIn } from "./store/sessions.ts";

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  /** What access tokens must be for; null: ID tokens are sent, which are for the client. */
  audience: string | null;
  /** Whose tokens are accepted; null: those of everybody the provider knows. */
  organization: string | null;
  organizationsClaim: string;
  roleClaim: string;
}
interface Needs {
  settings: ProviderSettings;
  store: LinkedAccountStore;
  now: () => Date;
}

export type ProviderVerdict = { person: SignedIn } | { refused: 401 | 503; words: string };

/** Never `none`, and never a secret: a public key that is taken for one is the classical forgery. */
const ALGORITHMS = ["RS256", "ES256", "EdDSA", "Ed25519"];
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Seconds that clocks may differ; the age a logout token may have. */
const TOLERANCE = 30;
const MAX_LOGOUT_AGE = 300;
/** Longest wait for the provider, ms; how long a failure to find it is remembered. */
const TIMEOUT_MS = 5_000;
const PAUSE_MS = 5_000;
const SEEN_MAX = 10_000;

const away: ProviderVerdict = { refused: 503, words: "The sign-in provider cannot be reached." };
const unauthorized = (reason: string): ProviderVerdict => ({
  refused: 401,
  words: `Unauthorized: ${reason}`,
});

export function createProviderTokens({ settings, store, now }: Needs) {
  const issuer = bare(settings.issuer); // as accounts are kept
  let keys: { found: Promise<Published>; since: number; failed: boolean } | undefined;

  /** Its published keys; asked when the first token comes. The library fetches them again for a key it does not know. */
  function published(): Promise<Published> {
    if (!keys || (keys.failed && Date.now() - keys.since > PAUSE_MS)) {
      const asked = { found: discover(settings.issuer), since: Date.now(), failed: false };
      asked.found.catch(() => (asked.failed = true));
      keys = asked;
    }
    return keys.found;
  }

  async function check(
    raw: string,
    audience: string,
    options: { maxTokenAge?: number; requiredClaims: string[] },
  ) {
    const { jwtVerify } = await import("jose");
    const { key, issuer: name } = await published();
    return jwtVerify(raw, key, {
      issuer: name,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE,
      currentDate: now(),
      ...options,
    });
  }

  /** Sessions whose sign-in is noted already; only a memory of work done. */
  const seen = new Set<string>();
  async function noteLogin(personId: string, session: string): Promise<void> {
    const key = `${personId} ${session}`;
    if (seen.has(key)) return;
    if (seen.size >= SEEN_MAX) seen.clear();
    seen.add(key);
    await store.noteLogin(personId, now());
  }

  return {
    /** Whom a bearer stands for, or how to refuse it. Roles and removal count at once; nothing is cached but keys. */
    async verify(raw: string): Promise<ProviderVerdict> {
      let verified: JWTVerifyResult;
      try {
        const requiredClaims = ["exp", "iat", "sub"];
        verified = await check(raw, settings.audience ?? settings.clientId, { requiredClaims });
      } catch (error) {
        return isOfToken(error) ? unauthorized("the token is not valid") : away;
      }
      const { payload } = verified;
      // A logout token is signed by the same keys for the same client, and is no credential.
      if (payload["events"] !== undefined) return unauthorized("this is not a token of a session");
      const membership = membershipOf(payload, settings);
      if (!membership) return unauthorized("the token is for another organization");
      const { sub: subject = "", iat = 0 } = payload;
      const session = text(payload["sid"]);
      const issuedAt = new Date(iat * 1000);
      if (await store.isEnded({ issuer, subject, session, issuedAt }))
        return { refused: 401, words: "Session Expired" };
      const person = await store.personOf({
        issuer,
        subject,
        name: text(payload["name"]) ?? text(payload["email"]) ?? subject,
        email: text(payload["email"]),
        avatar: text(payload["image_url"]) ?? text(payload["picture"]),
        isAdmin: membership.isAdmin,
      });
      if (!person) return unauthorized("the account was removed");
      await noteLogin(person.personId, session ?? String(payload["auth_time"] ?? iat));
      return { person };
    },

    /** Back-channel logout (OpenID Connect Back-Channel Logout 1.0 §2.6). False when the token is not to be trusted. */
    async endByToken(raw: string): Promise<boolean> {
      try {
        const { payload } = await check(raw, settings.clientId, {
          maxTokenAge: MAX_LOGOUT_AGE,
          requiredClaims: ["iat", "jti", "events"],
        });
        const { events, sub } = payload as { events: unknown; sub?: string };
        const session = text(payload["sid"]);
        const isLogout = typeof events === "object" && events !== null && LOGOUT_EVENT in events;
        if (!isLogout || payload["nonce"] !== undefined || (session === null && !sub)) return false;
        await store.end({ issuer, subject: sub ?? null, session }, now());
        return true;
      } catch (error) {
        if (isOfToken(error)) return false;
        throw error;
      }
    },
  };
}

export type ProviderTokens = ReturnType<typeof createProviderTokens>;

/** What a provider says of itself: its name as its tokens have it, and where its keys are. */
interface Published {
  issuer: string;
  key: JWTVerifyGetKey;
}
/** The last slash of an issuer is often forgotten. */
const bare = (issuer: string) => issuer.replace(/\/$/, "");

async function discover(wanted: string): Promise<Published> {
  const { createRemoteJWKSet } = await import("jose");
  const address = `${bare(wanted)}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "error" });
  const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  const { issuer, jwks_uri } = found;
  if (
    !response.ok ||
    typeof issuer !== "string" ||
    bare(issuer) !== bare(wanted) ||
    typeof jwks_uri !== "string"
  )
    throw new Error(`${address} does not describe ${wanted}`);
  return { issuer, key: createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: TIMEOUT_MS }) };
}

/** The token's own fault, and not that the provider cannot be asked for its keys. */
function isOfToken(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  return (
    code.startsWith("ERR_J") && !["ERR_JWKS_TIMEOUT", "ERR_JOSE_GENERIC", "ERR_JWKS_INVALID"].includes(code)
  );
}

/** Is the token for the organisation we serve, and does it make an administrator there? Null when it is for another. */
export function membershipOf(
  claims: JWTPayload,
  {
    organization,
    organizationsClaim,
    roleClaim,
  }: Pick<ProviderSettings, "organization" | "organizationsClaim" | "roleClaim">,
): { isAdmin: boolean } | null {
  const own = { isAdmin: saysAdmin(claims[roleClaim]) };
  if (organization === null) return own;
  // A token of one organisation says which; else the list of all decides.
  const active = text(claims["org_id"]);
  if (active !== null) return active === organization ? own : null;
  const found = entriesOf(claims[organizationsClaim]).find(({ names }) => names.includes(organization));
  if (!found) return null;
  return found.role === undefined ? own : { isAdmin: saysAdmin(found.role) };
}

/** The organisations of a claim: names, objects (`id`, `slug`, `name`, `role`), or objects by name. */
function entriesOf(claim: unknown): { names: string[]; role?: unknown }[] {
  if (typeof claim === "string") return [{ names: [claim] }];
  if (typeof claim !== "object" || claim === null) return [];
  const all: [string, unknown][] = Array.isArray(claim)
    ? claim.map((one: unknown) => [typeof one === "string" ? one : "", one])
    : Object.entries(claim);
  return all.map(([key, one]) => {
    const { id, slug, name, role } = (typeof one === "object" && one !== null ? one : {}) as Record<
      string,
      unknown
    >;
    // The first of them is its id for the web too; a name that somebody chose must not pass for another's id.
    const first = key || text(id) || text(slug) || text(name);
    return { names: first ? [first] : [], role };
  });
}

const saysAdmin = (role: unknown): boolean => (Array.isArray(role) ? role : [role]).includes("admin");
const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
