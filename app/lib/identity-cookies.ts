import { nameHere } from "#app/contract/identity-cookies.ts";

/** What browsers keep of one cookie, name and attributes included. */
const MAX_CHARS = 4096;
/** What a cookie may hold (RFC 6265), besides the quotes some servers put around it. */
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$|^"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*"$/;
const LIFE = /^(max-age=-?\d{1,12}|expires=[\w :,-]{10,40})$/i;

/**
 * A Set-Cookie line of the identity service as the browser gets it from us: of our host and the whole site, not for
 * scripts, never sent from other sites, by https where we are reached by https. How long it lives is the service's word;
 * its domain and path were those of its own address. Null for a line that is no cookie.
 */
export function relayedCookie(line: string, { secure }: { secure: boolean }): string | null {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const equals = pair.indexOf("=");
  const name = equals > 0 ? nameHere(pair.slice(0, equals).trim()) : null;
  const value = pair.slice(equals + 1).trim();
  if (name === null || !VALUE.test(value)) return null;
  const life = attributes.filter((attribute) => LIFE.test(attribute));
  const relayed = [
    `${name}=${value}`,
    "Path=/",
    ...life,
    "HttpOnly",
    ...(secure ? ["Secure"] : []),
    "SameSite=Lax",
  ];
  const whole = relayed.join("; ");
  return whole.length > MAX_CHARS ? null : whole;
}

/** All the lines of an answer, as they are relayed. */
export const relayedCookies = (lines: readonly string[], options: { secure: boolean }): string[] =>
  lines.flatMap((line) => relayedCookie(line, options) ?? []);
