import { redirect } from "@remix-run/node";
import type { z } from "zod";
import { isRole } from "#app/contract/access.ts";
import type { Property } from "#app/contract/features.ts";
import { isSessionCookie } from "#app/contract/identity-cookies.ts";
import { Properties, Whoami } from "#app/contract/rows/people.ts";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { SESSION_ENDED } from "#app/contract/words/platform.ts";
import { backendOf, type Backend } from "./about.server.ts";
import { parseCookies } from "./cookies.ts";
import { env } from "./env.server.ts";
import { cookieHeaders } from "./headers.server.ts";
import { hostedSession } from "./hosted/refresh.server.ts";
import { hostedCookies } from "./hosted/session.server.ts";
import { hostedWhoami } from "./hosted/whoami.server.ts";
import { pathOf } from "./return-to.ts";
import { oncePerRequest } from "./scope.server.ts";
import { rememberSession, sessionCookies, type Session } from "./session.server.ts";
import { signedOut } from "./signed-out.server.ts";
import { TYPED_HEADER } from "./signed-out.ts";
import { UpstreamError } from "./upstream-error.ts";
import { identityFetch, upstreamFetch, type Answer } from "./upstream.server.ts";

/** A page waits no longer than this for the flags of a backend that sends them apart, ms. */
const FLAGS_TIMEOUT_MS = 5_000;

/** All that has to be known before a page is drawn. */
export interface Standing {
  user: Session;
  /** Where a picture of them is: not kept in the browser, since it may be a picture written out. */
  avatar: string | null;
  /** The product's properties; null when they could not be read. */
  properties: readonly Property[] | null;
  /** What upstream said of itself along the way; null: it has to be asked (`askBackend`). */
  backend: Backend | null;
  /** May there be permission records that speak of this person? False where upstream said that there are none. */
  isJudged: boolean;
}

/** Whoever looks at the page of standalone mode: without a role, so with a viewer's rights at most. */
const STRANGER: Standing = {
  user: { id: "", name: "", email: null, roles: [] },
  avatar: null,
  properties: [],
  backend: null,
  isJudged: false,
};

/** Did upstream's last whoami bring the properties along? Where it does not, both are asked for at once. */
let bringsProperties = true;

/**
 * Who is asking, roles and flags read anew, in one call upstream per request (docs/decisions/0051). Redirects whoever is
 * not signed in, or not far enough. Flags that cannot be read do not stop a page.
 */
export function whoami(request: Request): Promise<Standing> {
  if (env().isStandalone) return Promise.resolve(STRANGER);
  return oncePerRequest("whoami", async () => {
    if (!(await bringsCredential(request))) throw await signIn(request);
    const apart = bringsProperties ? null : askProperties(request);
    const response = await (env().hosted ? askHosted : askUpstream)(request);
    if (!response.ok) throw new UpstreamError(response.status, "The session could not be checked.");
    const { user, roles, properties, about, records } = Whoami.parse(response.json()).payload;
    // An agent is no viewer: without this, the one role that we do not know would count as none.
    if (roles?.includes("agent")) throw new Response(UNAUTHORIZED, { status: 403 });
    bringsProperties = properties !== undefined;
    const session = sessionOf(user, roles ?? []);
    rememberSession(request, session);
    return {
      user: session,
      avatar: user.avatar ?? null,
      properties: properties === undefined ? await (apart ?? askProperties(request)) : properties,
      backend: about ? backendOf(about.Version, about.features) : null,
      isJudged: records ?? true,
    };
  });
}

/** The identity service's cookie, or a live session with the hosted provider. */
async function bringsCredential(request: Request): Promise<boolean> {
  if (env().hosted) return (await hostedSession(request)) !== null;
  return [...parseCookies(request.headers.get("cookie")).keys()].some(isSessionCookie);
}

async function askUpstream(request: Request): Promise<Answer> {
  const response = await upstreamFetch(request, "/auth/whoami");
  if (response.status === 401) throw await whyNot(request);
  if (response.status === 403 || response.status === 422) throw await signIn(request, { aal: "aal2" });
  return response;
}

async function askHosted(request: Request): Promise<Answer> {
  const response = await hostedWhoami(request);
  if (!response) throw await signIn(request);
  return response;
}

/**
 * Where to send somebody whose session upstream does not take (specification 1 §4): the identity service says whether it
 * has ended (401) or wants a second factor (403, 422). One that it takes and upstream does not leads nowhere by signing in.
 */
async function whyNot(request: Request): Promise<Response> {
  const response = await identityFetch(request, "/sessions/whoami").catch(() => null); // reported where it failed
  if (response?.status === 403 || response?.status === 422) return signIn(request, { aal: "aal2" });
  return response?.ok ? redirect("/error?error_code=BAD_SESSION") : signIn(request);
}

const sessionOf = (user: z.output<typeof Whoami>["payload"]["user"], roles: readonly string[]): Session => ({
  id: user.id,
  name: user.name || user.email || "",
  email: user.email ?? null,
  roles: [...new Set(roles.filter(isRole))].sort(),
});

/** The contract's own call for them. Never rejects: whatever goes wrong, they are unknown. */
async function askProperties(request: Request): Promise<readonly Property[] | null> {
  try {
    const response = await upstreamFetch(request, "/properties", { timeoutMs: FLAGS_TIMEOUT_MS });
    return response.ok ? (Properties.nullable().parse(response.json()) ?? []) : null;
  } catch {
    return null; // reported by upstreamFetch where upstream is to blame; the page says it
  }
}

/**
 * To the sign-in page, with the way back; a first sign-in also drops what the browser remembers. A form is not led away:
 * its page asks to sign in, and keeps what was typed. Nor is a page that holds what was typed and is only read anew; whose
 * text it is stays remembered (docs/decisions/0113).
 */
async function signIn(request: Request, { aal = null }: { aal?: "aal2" | null } = {}): Promise<Response> {
  if (request.headers.has(TYPED_HEADER)) return new Response(SESSION_ENDED, { status: 401 });
  const cookies = aal ? [] : [...sessionCookies(request, null), ...hostedCookies(request, null)];
  if (request.method === "POST") return signedOut(request, { aal, cookies });
  const query = new URLSearchParams({ ...(aal ? { aal } : {}), return_to: pathOf(request) });
  return redirect(`/login?${query}`, { headers: cookieHeaders(cookies) });
}
