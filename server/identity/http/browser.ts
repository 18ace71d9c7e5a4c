/** What every endpoint needs of the request: JSON or page, the form, the cookies, the session, the CSRF check. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie, deleteCookie } from "hono/cookie";
import type { Flow } from "../flow.ts";
import { problems } from "../problem.ts";
import type { PartContext, Proven } from "../parts.ts";
import { SESSION_HOURS, type Aal, type Device, type Session } from "../store/sessions.ts";
import { digest, newCsrfToken, newToken, sameDigest, unmaskCsrf } from "../tokens.ts";
import type { Service } from "./service.ts";

export const SESSION_COOKIE = "ory_kratos_session";
const CSRF_SECONDS = 365 * 86_400;
const MAX_FIELDS = 50;

/** Scripts get JSON and statuses, browsers get redirects: by Accept, X-Requested-With, or the form's own type. */
export function wantsJson(c: Context): boolean {
  const accept = c.req.header("accept") ?? "";
  if (c.req.header("x-requested-with")) return true;
  if (accept.includes("application/json")) return !accept.includes("text/html");
  return isJsonBody(c) && !accept.includes("text/html");
}

const isJsonBody = (c: Context) => (c.req.header("content-type") ?? "").startsWith("application/json");

/** The posted form, JSON flattened to the names a page's inputs have (`traits.name.first`). */
export async function readForm(c: Context): Promise<ReadonlyMap<string, string>> {
  const form = new Map<string, string>();
  if (isJsonBody(c)) {
    const body: unknown = await c.req.json().catch(() => {
      throw problems.badRequest("The request body is not JSON.");
    });
    flatten(body, "", form);
  } else {
    const body = new URLSearchParams(await c.req.text());
    for (const [name, value] of body) if (form.size < MAX_FIELDS) form.set(name, value);
  }
  return form;
}

function flatten(value: unknown, name: string, into: Map<string, string>): void {
  if (into.size >= MAX_FIELDS || name.length > 100) return;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    into.set(name, String(value));
  else if (typeof value === "object" && value !== null)
    for (const [key, part] of Object.entries(value)) flatten(part, name ? `${name}.${key}` : key, into);
}

/** The address the web saw, which its preload writes; null when a caller came another way. */
export function clientAddress(c: Context): string | null {
  return c.req.header("x-ph-client")?.slice(0, 100) ?? null;
}

/** The session token as cookie or, for scripts, as `X-Session-Token` or a bearer token. */
export function presentedToken(c: Context): string | null {
  const bearer = /^bearer\s+(\S+)$/i.exec(c.req.header("authorization") ?? "");
  return getCookie(c, SESSION_COOKIE) || c.req.header("x-session-token") || bearer?.[1] || null;
}

/** The browser, for the list of one's sessions. */
function deviceOf(c: Context): Device {
  return { client: clientAddress(c), userAgent: c.req.header("user-agent")?.slice(0, 300) ?? null };
}

export function createBrowser({ store, now, secureCookies, publicUrl, knownBrowsers }: Service) {
  const cookie = { httpOnly: true, sameSite: "Lax", path: "/", secure: secureCookies } as const;
  // Named after the site, so that two installations under one host name do not overwrite each other's.
  const csrfCookie = `csrf_token_${createHash("sha256")
    .update(publicUrl ?? "pilothouse")
    .digest("hex")}`;

  const presentedCsrf = (c: Context) => unmaskCsrf(getCookie(c, csrfCookie) ?? "");
  const giveCsrf = (c: Context) => {
    const token = newCsrfToken();
    setCookie(c, csrfCookie, token, { ...cookie, maxAge: CSRF_SECONDS });
    return token;
  };

  /** The browser is known to the account from now on (known-browsers.ts). */
  const giveKnown = (c: Context, personId: string) => {
    const { name, value, maxAge } = knownBrowsers.cookieFor(personId, clientAddress(c), (n) =>
      getCookie(c, n),
    );
    setCookie(c, name, value, { ...cookie, maxAge });
  };

  return {
    /** The live session of the request, or null. */
    session: async (c: Context): Promise<Session | null> => {
      const token = presentedToken(c);
      return token === null ? null : store.sessions.find(digest(token), now());
    },

    /**
     * Signs in, or adds a proof to the session of the same person: a new session token every time, so that one planted
     * or seen before is worth nothing afterwards. The CSRF token changes with the person, but not when the same one
     * confirms: the form they come back to must still work.
     */
    openSession: async (
      c: Context,
      { personId, method }: Proven,
      { aal, known }: { aal: Aal; known: Session | null },
    ): Promise<{ session: Session; csrf: string }> => {
      const token = newToken();
      const proof = { identityId: personId, tokenHash: digest(token), method, aal, device: deviceOf(c) };
      const isSame = known?.personId === personId;
      const strengthened = isSame && (await store.sessions.strengthen(known.id, proof, now()));
      if (!strengthened) await store.sessions.open(proof, known?.id ?? null, now());
      const session = await store.sessions.find(proof.tokenHash, now());
      if (!session) throw problems.sessionInactive();
      setCookie(c, SESSION_COOKIE, token, { ...cookie, maxAge: SESSION_HOURS * 3600 });
      giveKnown(c, personId);
      return { session, csrf: (isSame ? presentedCsrf(c) : null) ?? giveCsrf(c) };
    },

    /** What a part may know of the request, and where it keeps things beside the flow. */
    contextFor: (c: Context, flow: Flow, session: Session | null): PartContext => ({
      session,
      client: clientAddress(c),
      deviceOf: (account) => knownBrowsers.idOf(account, clientAddress(c), (name) => getCookie(c, name)),
      request: c.req.raw,
      now: now(),
      keep: (name, value) => {
        flow.kept[name] = value;
      },
      kept: (name) => flow.kept[name] ?? flow.context[name],
      take: (name) => store.flows.take(flow.id, name),
    }),

    clearSession: (c: Context) => deleteCookie(c, SESSION_COOKIE, cookie),

    /** The browser's CSRF token, given on first sight. */
    csrf: (c: Context): string => presentedCsrf(c) ?? giveCsrf(c),

    /**
     * The browser's token, if it is the one the flow was begun with.
     * @throws Problem security_csrf_violation
     */
    ownCsrf: (c: Context, flow: Flow): string => {
      const token = presentedCsrf(c);
      if (token === null || !sameDigest(digest(token), flow.csrfHash)) throw problems.csrfViolation();
      return token;
    },

    /** Cookie, flow and form must agree. @throws Problem security_csrf_violation */
    checkCsrf: (c: Context, flow: Flow, form: ReadonlyMap<string, string>): string => {
      const token = presentedCsrf(c);
      const sent = unmaskCsrf(form.get("csrf_token") ?? "");
      const agree =
        token !== null &&
        sent !== null &&
        sameDigest(digest(token), digest(sent)) &&
        sameDigest(digest(token), flow.csrfHash);
      if (!agree) throw problems.csrfViolation();
      return token;
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;
