import { z } from "zod";
import { cookieLine, parseCookies } from "../cookies.ts";
import { env } from "../env.server.ts";
import { cookieNames, deriveKey, joinCookie, seal, splitCookie, unseal } from "../seal.server.ts";

/** Somebody's session with the hosted provider, kept whole in the browser, encrypted: the web has no store (decision 0094). */
export interface HostedSession {
  /** Ours, for as long as the session lives. */
  id: string;
  /** The provider's `sub` and `sid`. */
  subject: string;
  providerSession: string | null;
  name: string;
  organizations: { id: string; name: string; upstream?: string | undefined }[];
  /** The chosen one's id. */
  organization: string | null;
  /** What goes upstream, and until when it is good, ms since the epoch. */
  bearer: string;
  bearerUntil: number;
  refreshToken: string | null;
  /** Shown to the provider at sign-out; left out where it is the bearer, or would not fit. */
  idToken: string | null;
  /** When its person signed in, and when the bearer was issued, ms since the epoch. */
  began: number;
  issued: number;
}

/** As long as one of the built-in service lives (facts/engines §14): 336 hours, ms. */
export const SESSION_MS = 336 * 3_600_000;
const COOKIE = "pilothouse_hosted";

const Session: z.ZodType<HostedSession> = z.object({
  id: z.string(),
  subject: z.string(),
  providerSession: z.string().nullable(),
  name: z.string(),
  organizations: z.array(z.object({ id: z.string(), name: z.string(), upstream: z.string().optional() })),
  organization: z.string().nullable(),
  bearer: z.string(),
  bearerUntil: z.number(),
  refreshToken: z.string().nullable(),
  idToken: z.string().nullable(),
  began: z.number(),
  issued: z.number(),
});

let key: Buffer | undefined;
const sessionKey = () => (key ??= deriveKey(env().sessionSecret, "hosted session"));

/** The session the browser brings, however old; null when it brings none of ours. */
export function broughtSession(request: Request): HostedSession | null {
  const sealed = joinCookie(COOKIE, parseCookies(request.headers.get("cookie")));
  const parsed = Session.safeParse(sealed ? unseal(sessionKey(), COOKIE, sealed) : null);
  return parsed.success ? parsed.data : null;
}

/** The Set-Cookie lines that keep the session (null: end it) and drop what is left of another. */
export function hostedCookies(request: Request, session: HostedSession | null): string[] {
  const secure = env().isSecure;
  const maxAge = session ? Math.max(1, Math.floor((session.began + SESSION_MS - Date.now()) / 1000)) : 0;
  const written = session ? sealed(session) : new Map<string, string>();
  const stale = cookieNames(COOKIE, parseCookies(request.headers.get("cookie"))).filter(
    (name) => !written.has(name),
  );
  return [
    ...[...written].map(([name, value]) => cookieLine(name, value, { secure, maxAge })),
    ...stale.map((name) => cookieLine(name, "", { secure, maxAge: 0 })),
  ];
}

/** Without the ID token where it would be too much: signing out then asks at the provider. */
function sealed(session: HostedSession): Map<string, string> {
  const written = (one: HostedSession) => splitCookie(COOKIE, seal(sessionKey(), COOKIE, one));
  const whole = JSON.stringify(session).length <= COMFORTABLE;
  return written(whole ? session : { ...session, idToken: null });
}
/** Characters of a session that stay below the header limits of usual proxies (8 kB) once encrypted. */
const COMFORTABLE = 5_000;
