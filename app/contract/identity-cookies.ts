/**
 * The cookies of the identity service on our origin. Ours and Kratos' keep their names (`ory_…`, `csrf_token…`); whatever
 * else an identity service elsewhere sets lies under a prefix, so that it can neither take a cookie of ours nor carry a
 * name that browsers bind to https or to a host (`__Host-`, `__Secure-`). Pure; read by the web and the control plane.
 */
const RELAYED = "ory_relayed_";
const NAME = /^[\w!#$%&'*+.^`|~-]{1,150}$/;

/** Belongs to the identity service, and travels to it. */
export const isIdentityCookie = (name: string): boolean =>
  name.startsWith("ory_") || name.startsWith("csrf_token");

/** Holds a session: `ory_kratos_session`, or `ory_session_<project>` of a hosted Kratos. */
export const isSessionCookie = (name: string): boolean => /^ory_(kratos_)?session/.test(name);

/** The name under which we keep a cookie of the identity service; null for one that no cookie may have. */
export function nameHere(name: string): string | null {
  if (!NAME.test(name)) return null;
  return isIdentityCookie(name) && !name.startsWith(RELAYED) ? name : RELAYED + name;
}

/** The name that the identity service gave to a cookie we keep. */
export const nameThere = (name: string): string =>
  name.startsWith(RELAYED) ? name.slice(RELAYED.length) : name;

/** The Cookie header for the identity service, of all the browser's cookies; null when none of them is its own. */
export function cookiesThere(cookies: Iterable<readonly [name: string, value: string]>): string | null {
  const pairs = [...cookies]
    .filter(([name]) => isIdentityCookie(name))
    .map(([name, value]) => `${nameThere(name)}=${value}`);
  return pairs.length > 0 ? pairs.join("; ") : null;
}
