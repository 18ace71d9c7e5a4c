/** What the web's preload works out about a request before Remix sees it. Pure. */

/**
 * The client's address: the socket's, or, behind proxies of ours, what the outermost of them saw. Each proxy appends
 * the address of its own client to X-Forwarded-For, so only the last `hops` entries were written by ours.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  hops: number,
): string {
  const socket = plain(socketAddress ?? "");
  if (hops === 0) return socket;
  const seen = [forwardedFor ?? []].flat().join(",").split(",").map(plain).filter(Boolean);
  return seen.at(-hops) ?? seen[0] ?? socket;
}

/** Without spaces and without the prefix of an IPv4 address on a dual-stack socket. */
const plain = (address: string) => address.trim().replace(/^::ffff:(?=\d+\.)/i, "");

/** The request's target as a path: proxies may ask with the whole address (`GET http://host/path`). */
export function requestTarget(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** Addresses below `/api/` that are the web's own routes. */
const OWN = /^\/api\/(_|kubeconfig$)/;

/** What there is in standalone mode: the page of checks with its files, and what it is made of. */
const STANDALONE =
  /^\/(health|badges|icons|fonts|assets|api)([/.?]|$)|^\/(preferences|__manifest)(\?|$)|^\/[^?]*\.(svg|png|ico|txt)(\?|$)/;

/**
 * What Remix is asked instead. Calls to the backend (`/api/…`, except the web's own) all go to one route, which forwards
 * the recorded target: Remix would take `.data` and `?_data` in them for its own. In standalone mode every other page is
 * the page of checks.
 */
export function remixTarget(target: string, isStandalone = false): string {
  if (isStandalone && !STANDALONE.test(target)) return "/api/_elsewhere";
  return target.startsWith("/api/") && !OWN.test(target) ? "/api/upstream" : target;
}
