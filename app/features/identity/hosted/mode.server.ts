import { redirect, redirectDocument } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { ACCOUNT_ELSEWHERE } from "#app/contract/words/hosted.ts";
import { REFUSED } from "#app/lib/error-view.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { provider } from "#app/lib/hosted/client.server.ts";
import { endSessions } from "#app/lib/hosted/ended.server.ts";
import { hostedSession } from "#app/lib/hosted/refresh.server.ts";
import { broughtSession, hostedCookies, type HostedSession } from "#app/lib/hosted/session.server.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";
import { sessionCookies } from "#app/lib/session.server.ts";
import { leavingPath } from "../leaving.server.ts";
import type { FlowKind, IdentityMode } from "../mode.ts";
import { loginPath, loginSearch, SIGNED_OUT_PATH } from "../paths.ts";
import { OidcStrategy, SignInFailure, verify } from "./strategy.server.ts";
import { endTransaction, findTransaction } from "./transaction.server.ts";

const authenticator = new Authenticator<HostedSession>().use(new OidcStrategy(verify));
/** Longest that a sign-out waits for the provider to forget the refresh token, ms. */
const PATIENCE_MS = 2_000;

/** Signing in at an OpenID Connect provider: no form is ours, so every page of the flows leads there or says so. */
export const hosted: IdentityMode = {
  async begin(kind, request) {
    if (kind !== "login" && kind !== "registration") throw elsewhere();
    const { return_to, refresh } = loginSearch.read(request);
    if (kind !== "login") throw redirect(loginPath({ return_to }));
    const session = refresh ? null : await hostedSession(request);
    if (session) throw redirect(safeReturnTo(return_to) ?? "/");
    throw await wayThere(request);
  },
  async submit(kind, request) {
    throw formOf(kind, request);
  },
  async recover() {
    throw elsewhere();
  },
  findError: async () => null,
  sessions: async () => [],
  endSession: async () => false,

  async signOut(request) {
    const session = broughtSession(request);
    const cookies = [...hostedCookies(request, null), ...sessionCookies(request, null)];
    const headers = cookieHeaders(cookies);
    if (session) endSessions({ sid: session.id, sub: null });
    const to = session && (await providersSignOut(request, session));
    throw to ? redirectDocument(leavingPath(to), { headers }) : redirect(SIGNED_OUT_PATH, { headers });
  },
};

/** What the provider's answer to a sign-in makes: a session's cookies and the way back, or words about why not. */
export async function finishSignIn(
  request: Request,
): Promise<{ to: string; cookies: string[] } | { failed: string; returnTo: string; cookies: string[] }> {
  const state = new URL(request.url).searchParams.get("state") ?? "";
  const returnTo = findTransaction(request, state)?.returnTo ?? "/";
  const spent = state ? [endTransaction(state)] : [];
  try {
    const session = await authenticator.authenticate("oidc", request);
    const cookies = [...spent, ...hostedCookies(request, session), ...sessionCookies(request, null)];
    return { to: returnTo, cookies };
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    return { failed: error.message, returnTo, cookies: spent };
  }
}

/** The strategy throws the way there for a request without the provider's answer. */
async function wayThere(request: Request): Promise<unknown> {
  return authenticator.authenticate("oidc", request).then(
    () => redirect("/"),
    (thrown: unknown) => thrown,
  );
}

/** A form of ours that was open when the way to sign in changed. */
const formOf = (kind: FlowKind, request: Request): Response =>
  kind !== "login" && kind !== "registration"
    ? elsewhere()
    : redirect(loginPath({ return_to: loginSearch.read(request).return_to }));

const elsewhere = (): Response => new Response(ACCOUNT_ELSEWHERE, { status: 404, statusText: REFUSED });

/** RP-initiated logout; null where the provider knows none, or is away: then only we forget the session. */
async function providersSignOut(request: Request, session: HostedSession): Promise<string | null> {
  try {
    const { oidc, config, settings } = await provider();
    const { end_session_endpoint, revocation_endpoint } = config.serverMetadata();
    if (revocation_endpoint && session.refreshToken)
      await Promise.race([
        oidc.tokenRevocation(config, session.refreshToken).catch(() => undefined),
        new Promise((done) => setTimeout(done, PATIENCE_MS).unref()),
      ]);
    if (!end_session_endpoint) return null;
    const hint = settings.audience === null ? session.bearer : session.idToken;
    return oidc.buildEndSessionUrl(config, {
      post_logout_redirect_uri: new URL(SIGNED_OUT_PATH, siteOrigin(request)).href,
      ...(hint ? { id_token_hint: hint } : {}),
    }).href;
  } catch {
    return null;
  }
}
