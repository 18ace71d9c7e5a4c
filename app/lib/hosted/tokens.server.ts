import { randomUUID } from "node:crypto";
import type { IDToken, TokenEndpointResponse, TokenEndpointResponseHelpers } from "openid-client";
import type { Provider } from "./client.server.ts";
import { NO_ORGANIZATIONS } from "#app/contract/words/hosted.ts";
import { chosenOf, readOrganizations, withoutUpstreams, type Organization } from "./organizations.ts";
import { SESSION_MS, type HostedSession } from "./session.server.ts";

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The provider's answer cannot make a session; the words are for the person. */
export class Unusable extends Error {}

/** Longest wait for the organisations' endpoint, ms. */
const TIMEOUT_MS = 10_000;
/** How long an access token is used whose life the provider does not tell, seconds. */
const UNTOLD = 300;

/**
 * The session that verified tokens make, or go on with (`before`). Upstream gets the access token when it was asked for
 * an audience of its own, else the ID token. Throws `Unusable` when they do not, or are somebody else's.
 */
export async function sessionOf(
  provider: Provider,
  tokens: Tokens,
  before: HostedSession | null,
): Promise<HostedSession> {
  const claims = tokens.claims();
  if (before && claims && claims.sub !== before.subject)
    throw new Unusable("The provider's new tokens are somebody else's.");
  const subject = claims?.sub ?? before?.subject;
  if (subject === undefined) throw new Unusable("The provider sent no ID token.");
  const facts = claims && !before ? await factsOf(provider, tokens, claims) : claims;
  const organizations = await organizationsOf(provider, tokens, facts, before);
  const now = Date.now();
  return {
    id: before?.id ?? randomUUID(),
    subject,
    providerSession: text(claims?.["sid"]) ?? before?.providerSession ?? null,
    name: nameOf(facts) ?? before?.name ?? subject,
    organizations,
    organization: chosenOf(organizations, before?.organization ?? text(facts?.["org_id"])),
    ...bearerOf(provider, tokens, claims, now),
    refreshToken: tokens.refresh_token ?? before?.refreshToken ?? null,
    idToken: provider.settings.audience === null ? null : (tokens.id_token ?? before?.idToken ?? null),
    began: before?.began ?? now,
    issued: now,
  };
}

/** Is it older than any session may become? */
export const isTooOld = ({ began }: HostedSession, now = Date.now()): boolean => began + SESSION_MS <= now;

function bearerOf({ settings }: Provider, tokens: Tokens, claims: IDToken | undefined, now: number) {
  if (settings.audience !== null)
    return { bearer: tokens.access_token, bearerUntil: now + (tokens.expiresIn() ?? UNTOLD) * 1000 };
  if (!tokens.id_token || !claims) throw new Unusable("The provider sent no new ID token.");
  return { bearer: tokens.id_token, bearerUntil: claims.exp * 1000 };
}

/** The claims of a sign-in; those of the user-info endpoint too where the ID token leaves something out. */
async function factsOf(
  { oidc, config, settings }: Provider,
  tokens: Tokens,
  claims: IDToken,
): Promise<Record<string, unknown>> {
  const isWhole =
    nameOf(claims) !== null && (settings.organizationsUrl !== null || settings.organizationsClaim in claims);
  if (isWhole || !config.serverMetadata().userinfo_endpoint) return claims;
  try {
    return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
  } catch {
    return claims; // a name and organisations are wanted, not needed
  }
}

async function organizationsOf(
  { settings }: Provider,
  { access_token }: Tokens,
  facts: Record<string, unknown> | undefined,
  before: HostedSession | null,
): Promise<Organization[]> {
  const { organizationsUrl, organizationsClaim } = settings;
  if (organizationsUrl === null) {
    const claim = facts?.[organizationsClaim] ?? facts?.["org_id"]; // the list, or the one a token is for
    return claim === undefined ? (before?.organizations ?? []) : withoutUpstreams(readOrganizations(claim));
  }
  try {
    const response = await fetch(organizationsUrl, {
      headers: { accept: "application/json", authorization: `Bearer ${access_token}` },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${organizationsUrl} answered ${response.status}`);
    return readOrganizations(await response.json());
  } catch (error) {
    if (before) return before.organizations;
    // The code is spent: loading the same address again could not succeed, beginning anew may.
    throw new Unusable(NO_ORGANIZATIONS, { cause: error });
  }
}

function nameOf(facts: Record<string, unknown> | undefined): string | null {
  const found = ["name", "preferred_username", "email"].map((claim) => text(facts?.[claim])).find(Boolean);
  return found?.slice(0, 200) ?? null;
}
const text = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;
