import { identityCookies } from "./cookies.ts";
import { env } from "./env.server.ts";
import { upstreamOf } from "./hosted/organizations.ts";
import { hostedSession } from "./hosted/refresh.server.ts";

/** Where calls of a request go, and the headers that say as whom. */
export interface Place {
  url: string;
  credential: Record<string, string>;
}

/** Nobody is signed in, or nobody any more; said without asking upstream. */
export const SESSION_EXPIRED = "Session Expired";
/** The chosen organisation has no backend (yet). In the contract's own words (facts/backend-http §1). */
export const MISSING_TARGET = "Missing target";

/** The one backend, called with the cookies of its identity service. */
export function identityPlace(request: Request): Place {
  const { upstreamUrl, isStandalone } = env();
  const cookie = isStandalone ? null : identityCookies(request.headers.get("cookie"));
  return { url: upstreamUrl, credential: cookie ? { cookie } : {} };
}

/**
 * The backend of a request and its credential: the identity service's cookies, or the bearer of the hosted provider,
 * which goes to the backend of the chosen organisation. Throws Responses: 401 without a session where one decides on
 * the backend, 503 for an organisation without a backend and for a provider that is away.
 */
export async function placeOf(request: Request): Promise<Place> {
  const { upstreamUrl, hosted } = env();
  if (!hosted) return identityPlace(request);
  const session = await hostedSession(request);
  if (!session) {
    if (hosted.upstreams) throw new Response(SESSION_EXPIRED, { status: 401 });
    return { url: upstreamUrl, credential: {} };
  }
  const credential = { authorization: `Bearer ${session.bearer}` };
  if (!hosted.upstreams) return { url: upstreamUrl, credential };
  const chosen = session.organizations.find(({ id }) => id === session.organization);
  const url = chosen ? upstreamOf(chosen, hosted.upstreams) : null;
  if (url === null) throw new Response(MISSING_TARGET, { status: 503, statusText: MISSING_TARGET });
  return { url, credential };
}
