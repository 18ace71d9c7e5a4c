/**
 * Signing in with accounts elsewhere (Google, GitLab, any OpenID Connect provider): the protocol. Whose an account is,
 * and what comes of it, decide the callback (http/social.ts) and the parts.
 */
import { randomBytes } from "node:crypto";
import type { ClientAuth, Configuration } from "openid-client";
import { isEmail, normaliseEmail } from "../registration.ts";

export interface SocialProvider {
  /** In addresses and forms; it names the provider's callback. */
  id: string;
  /** What the button says: "Sign in with {label}". */
  label: string;
  issuer: string;
  clientId: string;
  /** null: a public client, which PKCE alone protects. */
  clientSecret: string | null;
  scopes: string;
}

/** What a flow keeps while its person is at the provider; never shown, and spent by the first answer. */
export interface SocialVisit {
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** An account elsewhere, its ID token verified. */
export interface SocialAccount {
  provider: SocialProvider;
  issuer: string;
  subject: string;
  /** The address the provider vouches for as its owner's; null when it names none, or does not vouch for it. */
  email: string | null;
  first: string | null;
  last: string | null;
}

/** Why nobody came back; the words are for the person, the cause for whoever runs this. */
export class SocialFailure extends Error {
  /** The person said no, which is no fault of anybody's. */
  readonly isChoice: boolean;
  constructor(words: string, { cause, isChoice = false }: { cause?: unknown; isChoice?: boolean } = {}) {
    super(words, { cause });
    this.isChoice = isChoice;
  }
}

/** Longest wait for an answer of a provider, seconds. */
const TIMEOUT = 10;
/** What a provider says of itself is asked again after this long, ms. */
const KNOWN_FOR = 3_600_000;
const MAX_NAME = 200;
const NO_ANSWER = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);
const REFUSALS = new Set([
  "ResponseBodyError",
  "AuthorizationResponseError",
  "WWWAuthenticateChallengeError",
]);

type Library = typeof import("openid-client");
interface Known {
  oidc: Library;
  config: Configuration;
}

/** `callback` is the whole address of a provider's callback as the browser reaches it. */
export function createProviders(providers: readonly SocialProvider[], callback: (id: string) => string) {
  const known = new Map<string, { found: Promise<Known>; until: number }>();

  /** Asked once an hour, and again when it could not be asked. */
  function discovered(provider: SocialProvider): Promise<Known> {
    const kept = known.get(provider.id);
    if (kept && kept.until > Date.now()) return kept.found;
    const found = discover(provider);
    known.set(provider.id, { found, until: Date.now() + KNOWN_FOR });
    found.catch(() => known.delete(provider.id));
    return found;
  }

  const find = (id: string): SocialProvider | null => providers.find((one) => one.id === id) ?? null;

  return {
    offered: providers,
    find,

    /**
     * The way to a provider, and what to keep until its answer comes. `state` begins with `context`, which finds the flow
     * again. @throws SocialFailure
     */
    async begin(provider: SocialProvider, context: string): Promise<{ to: string; visit: SocialVisit }> {
      try {
        const { oidc, config } = await discovered(provider);
        const visit = {
          provider: provider.id,
          state: `${context}.${randomBytes(24).toString("base64url")}`,
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        };
        const to = oidc.buildAuthorizationUrl(config, {
          redirect_uri: callback(provider.id),
          scope: provider.scopes,
          code_challenge: await oidc.calculatePKCECodeChallenge(visit.verifier),
          code_challenge_method: "S256",
          state: visit.state,
          nonce: visit.nonce,
        });
        return { to: to.href, visit };
      } catch (error) {
        throw failureOf(provider, error);
      }
    },

    /** Exchanges the code and verifies the ID token. @throws SocialFailure */
    async finish(
      provider: SocialProvider,
      visit: SocialVisit,
      query: URLSearchParams,
    ): Promise<SocialAccount> {
      try {
        const { oidc, config } = await discovered(provider);
        const answer = new URL(callback(provider.id));
        answer.search = query.toString();
        const tokens = await oidc.authorizationCodeGrant(config, answer, {
          pkceCodeVerifier: visit.verifier,
          expectedState: visit.state,
          expectedNonce: visit.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error("there is no ID token");
        // Many leave the address out of the ID token; what their user-info endpoint says is of the same subject.
        const asks = claims["email"] === undefined && config.serverMetadata().userinfo_endpoint;
        const more = asks ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
        return accountOf(provider, { ...more, ...claims });
      } catch (error) {
        throw failureOf(provider, error);
      }
    },
  };
}

export type Providers = ReturnType<typeof createProviders>;

async function discover({ issuer, clientId, clientSecret }: SocialProvider): Promise<Known> {
  const oidc = await import("openid-client");
  const server = new URL(issuer);
  const isHere = server.protocol === "http:"; // the configuration takes that for this machine only
  const authentication = clientSecret === null ? oidc.None() : bySecret(oidc, clientSecret);
  const config = await oidc.discovery(server, clientId, {}, authentication, {
    timeout: TIMEOUT,
    // The library trusts the connection for ID tokens unless it is told to check their signature; that check knows no
    // `none` and no secret that both sides share.
    execute: [oidc.enableNonRepudiationChecks, ...(isHere ? [oidc.allowInsecureRequests] : [])],
  });
  return { oidc, config };
}

/** Basic is what a client that was registered without saying uses (OpenID Connect Core §9); post where only that is offered. */
function bySecret(oidc: Library, secret: string): ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const offered = server.token_endpoint_auth_methods_supported;
    return (!offered || offered.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
}

function accountOf(provider: SocialProvider, claims: Record<string, unknown>): SocialAccount {
  const email = normaliseEmail(text(claims["email"]) ?? "");
  const isVouchedFor = claims["email_verified"] === true || claims["email_verified"] === "true";
  const family = text(claims["family_name"]);
  return {
    provider,
    issuer: String(claims["iss"]),
    subject: String(claims["sub"]),
    email: isVouchedFor && isEmail(email) ? email : null,
    first: text(claims["given_name"]) ?? (family === null ? text(claims["name"]) : null),
    last: family,
  };
}

function failureOf({ label }: SocialProvider, cause: unknown): SocialFailure {
  const { name, code, error } = (cause ?? {}) as { name?: unknown; code?: unknown; error?: unknown };
  if (error === "access_denied")
    return new SocialFailure(`The sign-in with ${label} was cancelled.`, { isChoice: true });
  if (name === "TypeError" || NO_ANSWER.has(String(code)))
    return new SocialFailure(`${label} does not answer. Please try again in a moment.`, { cause });
  if (REFUSALS.has(String(name))) {
    const why = error ?? challengedFor(cause);
    const said = typeof why === "string" && /^[a-z_]{1,40}$/.test(why) ? ` (${why})` : "";
    return new SocialFailure(`${label} refused the sign-in${said}.`, { cause });
  }
  return new SocialFailure(`The answer of ${label} could not be verified.`, { cause });
}

/** What a provider that does not take our secret says in its challenge. */
function challengedFor(error: unknown): unknown {
  const { cause } = (error ?? {}) as { cause?: unknown };
  const [challenge] = Array.isArray(cause) ? (cause as { parameters?: { error?: unknown } }[]) : [];
  return challenge?.parameters?.error;
}

const text = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, MAX_NAME) : null;
