import { createHash } from "node:crypto";
import { nameOfLine } from "../cookies.ts";
import { oncePerRequest, scope } from "../scope.server.ts";
import { isAway, provider, providerAway, refusalOf } from "./client.server.ts";
import { isEnded } from "./ended.server.ts";
import { broughtSession, hostedCookies, type HostedSession } from "./session.server.ts";
import { isTooOld, sessionOf, Unusable } from "./tokens.server.ts";

/** A bearer is renewed this long before its end, ms, or when a fifth of its life is left. */
const LEAD_MS = 60_000;
/** How long what came of a refresh is remembered for requests that still bring the cookie before it, ms. */
const REMEMBER_MS = 120_000;
const REMEMBER_MAX = 2_000;

/**
 * The live session of a request, its bearer good for a while; null when nobody is signed in (any more). Renewed tokens
 * are left on the answer. Throws the "provider is away" Response when the bearer is over and cannot be renewed now.
 */
export function hostedSession(request: Request): Promise<HostedSession | null> {
  return oncePerRequest("hosted session", async () => {
    const brought = broughtSession(request);
    if (!brought || isEnded(brought) || isTooOld(brought)) return null;
    if (!isDue(brought)) return brought;
    const session = await renewed(brought);
    if (!session || isEnded(session)) return null;
    if (session !== brought)
      for (const line of hostedCookies(request, session)) scope().cookies.set(nameOfLine(line), line);
    return session;
  });
}

/** Close enough to its end to be renewed; a life of seconds has a short lead. */
function isDue({ bearerUntil, issued }: HostedSession, now = Date.now()): boolean {
  return bearerUntil - now <= Math.min(LEAD_MS, (bearerUntil - issued) / 5);
}

const renewals = new Map<string, { renewal: Promise<HostedSession | null>; until: number }>();

/**
 * One refresh at a time per session: a rotated refresh token that is sent twice looks like a theft to the provider. What
 * came of it serves those who ask meanwhile, and those whose browser has not got the new cookie yet.
 */
async function renewed(brought: HostedSession): Promise<HostedSession | null> {
  const isOver = brought.bearerUntil <= Date.now();
  if (brought.refreshToken === null) return isOver ? null : brought;
  const key = createHash("sha256").update(`${brought.id} ${brought.refreshToken}`).digest("base64");
  const now = Date.now();
  let known = renewals.get(key);
  const isRemembered = known !== undefined && known.until > now;
  if (!known || !isRemembered) {
    known = { renewal: refresh(brought, brought.refreshToken), until: now + REMEMBER_MS };
    remember(key, known, now);
    // The provider was away: the next request tries again.
    known.renewal.catch((error: unknown) => error instanceof Response && renewals.delete(key));
  }
  try {
    const session = await known.renewal;
    if (!session) return null;
    // The organisation is the one this browser has chosen, whatever it was when somebody asked first.
    const own = { ...session, organization: kept(session, brought.organization) };
    const isOverToo = isRemembered && own.bearerUntil <= Date.now();
    return isOverToo ? await renewed(own) : own;
  } catch (error) {
    if (!isOver) return brought;
    if (error instanceof Response) throw error;
    return null;
  }
}

async function refresh(brought: HostedSession, refreshToken: string): Promise<HostedSession | null> {
  const found = await provider();
  const { oidc, config, settings } = found;
  try {
    const wanted: Record<string, string> = settings.audience === null ? {} : { resource: settings.audience };
    return await sessionOf(found, await oidc.refreshTokenGrant(config, refreshToken, wanted), brought);
  } catch (error) {
    if (error instanceof Response) throw error;
    const refusal = refusalOf(error);
    if (refusal === "invalid_grant") return null; // spent, or revoked
    if (refusal !== null || isAway(error)) throw providerAway(error);
    if (!(error instanceof Unusable)) report(error);
    throw error; // answered with tokens that are of no use, or not to be trusted: the old one serves until its end
  }
}

const report = (error: unknown) =>
  scope().report({ status: 401, method: "POST", path: "/token", error: String(error) });

const kept = ({ organizations, organization }: HostedSession, wanted: string | null): string | null =>
  organizations.some(({ id }) => id === wanted) ? wanted : organization;

function remember(
  key: string,
  one: { renewal: Promise<HostedSession | null>; until: number },
  now: number,
): void {
  renewals.set(key, one);
  for (const [oldest, { until }] of renewals) {
    if (renewals.size <= REMEMBER_MAX && until > now) break;
    renewals.delete(oldest);
  }
}
