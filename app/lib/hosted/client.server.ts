import type { ClientAuth, Configuration } from "openid-client";
import { PROVIDER_AWAY } from "#app/contract/words/hosted.ts";
import { env } from "../env.server.ts";
import { scope } from "../scope.server.ts";
import { isLoopback, type HostedConfig } from "./config.server.ts";

/** The library, loaded when somebody first signs in: the other ways to sign in do without it. */
type Library = typeof import("openid-client");
export interface Provider {
  oidc: Library;
  config: Configuration;
  settings: HostedConfig;
}

/** Longest wait for an answer of the provider, seconds. */
const TIMEOUT = 10;
/** What the provider says of itself is asked again after this long, ms: addresses move. */
const KNOWN_FOR = 3_600_000;

let known: { provider: Promise<Provider>; until: number } | undefined;

/** The configured provider; there is one whenever this is asked. */
export function hostedSettings(): HostedConfig {
  const { hosted } = env();
  if (!hosted) throw new Error("No sign-in provider is configured.");
  return hosted;
}

/** The provider as it describes itself, asked once an hour. Throws the "provider is away" Response when it does not answer. */
export async function provider(): Promise<Provider> {
  if (!known || known.until < Date.now()) {
    const asked = { provider: discover(hostedSettings()), until: Date.now() + KNOWN_FOR };
    const before = known;
    known = asked;
    // One that has been found once is better than none: the next call asks again.
    asked.provider.catch(() => known === asked && (known = before && { ...before, until: 0 }));
    if (before) return asked.provider.catch(() => before.provider);
  }
  return known.provider;
}

async function discover(settings: HostedConfig): Promise<Provider> {
  const oidc = await import("openid-client");
  const { issuer, clientId, clientSecret } = settings;
  const authentication = clientSecret === null ? oidc.None() : bySecret(oidc, clientSecret);
  try {
    const config = await oidc.discovery(new URL(issuer), clientId, {}, authentication, {
      timeout: TIMEOUT,
      // The library trusts the connection for ID tokens unless it is told to check their signature; that check knows no
      // `none` and no secret that both sides share.
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(isLoopback(new URL(issuer)) ? [oidc.allowInsecureRequests] : []),
      ],
    });
    return { oidc, config, settings };
  } catch (error) {
    throw providerAway(error);
  }
}

/** Basic is what a client that was registered without saying uses (OpenID Connect Core §9); post where only that is offered. */
function bySecret(oidc: Library, secret: string): ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const offered = server.token_endpoint_auth_methods_supported;
    return (!offered || offered.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
}

/** What to throw when the provider cannot be asked. Reported here. */
export function providerAway(cause: unknown): Response {
  const { message, cause: deeper } = cause instanceof Error ? cause : { message: String(cause) };
  const error = deeper instanceof Error ? `${message}: ${deeper.message}` : message;
  scope().report({ status: 503, method: "GET", path: hostedSettings().issuer, error });
  const headers = { "retry-after": "5" };
  return new Response(PROVIDER_AWAY, { status: 503, statusText: PROVIDER_AWAY, headers });
}
export const isProviderAway = ({ statusText }: Response): boolean => statusText === PROVIDER_AWAY;

/** The provider answered, and said no: its code (`invalid_grant`, `access_denied`). Null for anything else. */
export function refusalOf(error: unknown): string | null {
  const { name, error: code } = (error ?? {}) as { name?: unknown; error?: unknown };
  if (name !== "ResponseBodyError" && name !== "AuthorizationResponseError") return null;
  return typeof code === "string" ? code : "refused";
}

/** It could not be asked: no connection, no answer in time, an answer that is none of its own. */
export function isAway(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  return (
    name === "TypeError" || NO_ANSWER.has(String(code)) || (error instanceof Response && error.status === 503)
  );
}
const NO_ANSWER = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);
