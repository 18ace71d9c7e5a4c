/**
 * Who calls. In order: Basic (`token:<access token>` or e-mail and password), Bearer (access token or session token),
 * the identity service's session cookie. With a hosted provider: its JWT, or an access token. Looked up anew for every request, so a revoked session or a changed role
 * counts at once.
 */
import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { highestRole } from "#app/contract/access.ts";
import { cookiesThere, isSessionCookie } from "#app/contract/identity-cookies.ts";
import { agentRole, dbRole as roleFor } from "#server/db/grants.ts";
import type { IdentityService, SignedIn } from "#server/identity/index.ts";
import type { ProviderTokens } from "#server/identity/provider-tokens.ts";
import { KratosAway } from "#server/identity/kratos/index.ts";
import type { Principal } from "./principal.ts";

/** Why not: the status and the plain words of the answer. */
export interface Refused {
  refused: 400 | 401 | 429 | 503;
  words: string;
}
type Found = { person: SignedIn; via: Principal["via"] } | Refused;

const NOBODY: Refused = { refused: 401, words: "Authorization Error" };
const ENDED: Refused = { refused: 401, words: "Session Expired" };
const AWAY: Refused = { refused: 503, words: "The identity service cannot be reached." };

/** Authenticates one request against the identity service; never throws for bad credentials. */
export async function authenticate(
  c: Context,
  identity: IdentityService,
  database: string,
  provider: ProviderTokens | null = null,
): Promise<{ principal: Principal } | Refused> {
  const header = c.req.header("authorization");
  const client = c.req.header("x-ph-client") ?? null;
  const asked = header
    ? byHeader(header, identity, { client, provider })
    : provider
      ? Promise.resolve(NOBODY)
      : byCookie(c, identity);
  const found = await asked.catch(orAway);
  if ("refused" in found) return found;
  const { person, via } = found;
  const dbRole = person.isAgent ? agentRole(database) : roleFor(database, highestRole(person.roles));
  return { principal: { ...person, dbRole, via, client, request: randomUUID() } };
}

/** An identity service elsewhere may be away; nothing else is expected to fail. */
function orAway(error: unknown): Refused {
  if (error instanceof KratosAway) return AWAY;
  throw error;
}

interface Around {
  client: string | null;
  /** The hosted provider, which then keeps all accounts: our own passwords and sessions count for nothing. */
  provider: ProviderTokens | null;
}

async function byHeader(header: string, identity: IdentityService, around: Around): Promise<Found> {
  const { client, provider } = around;
  const [scheme = "", value = ""] = header.trim().split(/\s+/, 2);
  if (scheme.toLowerCase() === "bearer") return byToken(value, identity, around);
  if (scheme.toLowerCase() !== "basic") return NOBODY;
  const pair = Buffer.from(value, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 0) return NOBODY;
  const [user, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
  if (user.toLowerCase() === "token") return byToken(password, identity, around);
  if (provider) return NOBODY;
  const verdict = await identity.passwordLogin(user, password, client);
  if ("person" in verdict) return { person: verdict.person, via: "password" };
  return verdict.refused === "throttled"
    ? { refused: 429, words: `Too many failed attempts. Try again in ${verdict.seconds} s.` }
    : NOBODY;
}

/** An access token has four dots in it (facts: backend §2), a provider's JWT two, a session token none. */
async function byToken(raw: string, identity: IdentityService, { client, provider }: Around): Promise<Found> {
  if (provider && raw.split(".").length === 3) {
    const verdict = await provider.verify(raw);
    return "person" in verdict ? { person: verdict.person, via: "session" } : verdict;
  }
  if (raw.includes(".")) {
    const verdict = await identity.verifyAccessToken(raw, client);
    if ("person" in verdict) return { person: verdict.person, via: "token" };
    return { refused: verdict.refused, words: verdict.text };
  }
  if (provider) return NOBODY;
  const person = await identity.sessionOf(raw);
  return person ? { person, via: "session" } : ENDED;
}

async function byCookie(c: Context, identity: IdentityService): Promise<Found> {
  const cookies = pairsOf(c.req.header("cookie") ?? "");
  const token = cookies.find(([name]) => isSessionCookie(name))?.[1];
  if (!token) return NOBODY;
  const person = await identity.sessionOf(token, cookiesThere(cookies) ?? "");
  return person ? { person, via: "session" } : ENDED;
}

/** Names and values as they came: an identity service elsewhere reads its own as it wrote them. */
const pairsOf = (header: string): [name: string, value: string][] =>
  header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals < 1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
  });
