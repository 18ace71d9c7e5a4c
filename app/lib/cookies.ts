import { isIdentityCookie } from "#app/contract/identity-cookies.ts";

/** Reading and writing cookie headers (RFC 6265). Values are written as they are: callers use cookie-safe text. */

/** Names to values, the first of a name winning, undecoded. */
export function parseCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals < 1) continue;
    const name = pair.slice(0, equals).trim();
    if (name && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

export interface CookieOptions {
  secure: boolean;
  httpOnly?: boolean;
  /** Seconds to live; absent until the browser closes; 0 removes the cookie. */
  maxAge?: number;
}

/** One Set-Cookie line, always `Path=/` and `SameSite=Lax`. */
export function cookieLine(
  name: string,
  value: string,
  { secure, httpOnly = true, maxAge }: CookieOptions,
): string {
  return [
    `${name}=${value}`,
    "Path=/",
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ...(httpOnly ? ["HttpOnly"] : []),
    ...(secure ? ["Secure"] : []),
    "SameSite=Lax",
  ].join("; ");
}

/** The Cookie header to send upstream: the identity service's cookies and none of ours. Null when there are none. */
export function identityCookies(header: string | null): string | null {
  const kept = [...parseCookies(header)].filter(([name]) => isIdentityCookie(name));
  return kept.length > 0 ? kept.map(([name, value]) => `${name}=${value}`).join("; ") : null;
}

/** The name a Set-Cookie line sets. */
export const nameOfLine = (line: string): string => line.slice(0, Math.max(line.indexOf("="), 0)).trim();
