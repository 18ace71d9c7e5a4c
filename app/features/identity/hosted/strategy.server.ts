import { redirectDocument } from "@remix-run/node";
import { Strategy } from "remix-auth/strategy";
import {
  SIGN_IN_CANCELLED,
  SIGN_IN_STALE,
  SIGN_IN_UNVERIFIED,
  signInRefused,
} from "#app/contract/words/hosted.ts";
import { isAway, provider, providerAway, refusalOf, type Provider } from "#app/lib/hosted/client.server.ts";
import type { HostedSession } from "#app/lib/hosted/session.server.ts";
import { sessionOf, Unusable, type Tokens } from "#app/lib/hosted/tokens.server.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";
import { scope } from "#app/lib/scope.server.ts";
import { leavingPath } from "../leaving.server.ts";
import { CALLBACK_PATH } from "../paths.ts";
import { beginTransaction, findTransaction } from "./transaction.server.ts";

/** The sign-in came to nothing; the words are for the person. */
export class SignInFailure extends Error {}

export interface Verify {
  provider: Provider;
  tokens: Tokens;
}

/**
 * Signing in with an OpenID Connect provider: authorization code with PKCE (S256), state and nonce. A request without
 * the provider's answer throws the way there; one with it exchanges the code and verifies the ID token (signature,
 * issuer, audience, time, nonce). Throws `SignInFailure`, or the "provider is away" Response.
 */
export class OidcStrategy extends Strategy<HostedSession, Verify> {
  readonly name = "oidc";

  async authenticate(request: Request): Promise<HostedSession> {
    const { searchParams } = new URL(request.url);
    if (!searchParams.has("state")) throw await wayThere(request);
    const transaction = findTransaction(request, searchParams.get("state") ?? "");
    if (!transaction) throw new SignInFailure(SIGN_IN_STALE);
    const found = await provider();
    const { oidc, config, settings } = found;
    const answer = new URL(CALLBACK_PATH, siteOrigin(request));
    answer.search = searchParams.toString();
    try {
      const tokens = await oidc.authorizationCodeGrant(
        config,
        answer,
        {
          pkceCodeVerifier: transaction.verifier,
          expectedState: transaction.state,
          expectedNonce: transaction.nonce,
          idTokenExpected: true,
        },
        settings.audience === null ? {} : { resource: settings.audience },
      );
      return await this.verify({ provider: found, tokens });
    } catch (error) {
      throw failureOf(error);
    }
  }
}

/** The provider's sign-in page. `refresh` asks for the password again, as the built-in service does. */
async function wayThere(request: Request): Promise<Response> {
  const { oidc, config, settings } = await provider();
  const { searchParams } = new URL(request.url);
  const transaction = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    returnTo: safeReturnTo(searchParams.get("return_to")) ?? "/",
    began: Date.now(),
  };
  const { audience } = settings;
  const prompt = searchParams.get("refresh") === "true" ? "login" : settings.prompt;
  const to = oidc.buildAuthorizationUrl(config, {
    redirect_uri: new URL(CALLBACK_PATH, siteOrigin(request)).href,
    scope: settings.scopes,
    code_challenge: await oidc.calculatePKCECodeChallenge(transaction.verifier),
    code_challenge_method: "S256",
    state: transaction.state,
    nonce: transaction.nonce,
    // RFC 8707, and the name some providers gave it before there was one.
    ...(audience === null ? {} : { resource: audience, audience }),
    ...(prompt ? { prompt } : {}),
  });
  const headers = cookieHeaders(beginTransaction(request, transaction));
  return redirectDocument(leavingPath(to.href), { headers });
}

function failureOf(error: unknown): unknown {
  if (error instanceof Response) return error;
  if (isAway(error)) return providerAway(error);
  const code = refusalOf(error);
  if (code === "access_denied") return new SignInFailure(SIGN_IN_CANCELLED);
  const words =
    error instanceof Error ? `${error.message} ${String((error.cause as Error)?.message ?? "")}` : "";
  scope().report({ status: 400, method: "GET", path: CALLBACK_PATH, error: words.trim() });
  if (error instanceof Unusable) return new SignInFailure(error.message);
  return new SignInFailure(code === null ? SIGN_IN_UNVERIFIED : signInRefused(code));
}

export const verify = ({ provider, tokens }: Verify): Promise<HostedSession> =>
  sessionOf(provider, tokens, null);
