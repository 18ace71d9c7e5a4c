/**
 * Browsers that signed in to an account before, from about the same place. They carry a signed cookie which signs nobody
 * in: it only lets their attempts be counted apart, so that whoever guesses elsewhere cannot keep the owner out
 * (docs/decisions/0102). Nothing is stored.
 */
import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { networkOf } from "./throttle.ts";
import { digest, sameDigest } from "./tokens.ts";

/** Days a browser is known after it signed in. */
const KNOWN_DAYS = 90;
const DAY_MS = 86_400_000;
const VALUE = /^([\w-]{16})\.(\d{1,6})\.([\w-]{22})$/;

export interface KnownCookie {
  name: string;
  value: string;
  /** Seconds. */
  maxAge: number;
}

/** `key` is the installation's, the same on every control plane. */
export function createKnownBrowsers(key: string, now: () => Date) {
  const secret = Buffer.from(hkdfSync("sha256", key, "pilothouse", "known browsers", 32));
  const sign = (...parts: string[]) =>
    createHmac("sha256", secret).update(parts.join("\0")).digest("base64url").slice(0, 22);
  const today = () => Math.floor(now().getTime() / DAY_MS);
  /** One per account, so that two people may share a browser. */
  const cookieName = (account: string) => `ory_known_${sign("name", account).slice(0, 12)}`;
  const place = (client: string | null) => (client ? networkOf(client, "network") : "");

  /** The id of this browser, or null when it is not one that is known for this account at this place. */
  function idOf(account: string, client: string | null, cookie: (name: string) => string | undefined) {
    const [, id, day, mac] = VALUE.exec(cookie(cookieName(account)) ?? "") ?? [];
    if (id === undefined || day === undefined || mac === undefined) return null;
    const age = today() - Number(day);
    if (age < 0 || age > KNOWN_DAYS) return null;
    const right = sign("browser", account, place(client), id, day);
    return sameDigest(digest(mac), digest(right)) ? id : null;
  }

  return {
    idOf,
    /** The cookie for a browser that has just signed in; it keeps its id while it is known. */
    cookieFor(
      account: string,
      client: string | null,
      cookie: (name: string) => string | undefined,
    ): KnownCookie {
      const id = idOf(account, client, cookie) ?? randomBytes(12).toString("base64url");
      const day = String(today());
      const mac = sign("browser", account, place(client), id, day);
      return { name: cookieName(account), value: `${id}.${day}.${mac}`, maxAge: KNOWN_DAYS * 86_400 };
    },
  };
}

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;
