import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { env } from "#app/lib/env.server.ts";
import { provider } from "#app/lib/hosted/client.server.ts";
import { endSessions } from "#app/lib/hosted/ended.server.ts";
import { scope } from "#app/lib/scope.server.ts";

/** How a logout token may be signed: never `none`, never with a secret. */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** A token is for now: this old at most, seconds, and this far ahead of our clock. */
const MAX_AGE = 300;
const TOLERANCE = 30;
/** Characters of a token that are read. */
const MAX = 16_384;
/** Longest wait for a backend that is told as well, ms. */
const PATIENCE_MS = 3_000;

let keys: { uri: string; get: JWTVerifyGetKey } | undefined;

/**
 * OpenID Connect Back-Channel Logout 1.0: verifies the token (§2.6) and ends what it names, here and in the backend,
 * which refuses the bearers of the session for every process. False when the token is not to be trusted.
 */
export async function endByToken(token: string): Promise<boolean> {
  if (token === "" || token.length > MAX) return false;
  const ended = await readLogoutToken(token);
  if (!ended) return false;
  endSessions(ended);
  await Promise.all(backends().map((url) => tell(url, token)));
  return true;
}

async function readLogoutToken(token: string): Promise<{ sid: string | null; sub: string | null } | null> {
  const { config, settings } = await provider();
  const { jwks_uri = "", issuer } = config.serverMetadata();
  const { createRemoteJWKSet, jwtVerify } = await import("jose");
  if (keys?.uri !== jwks_uri) keys = { uri: jwks_uri, get: createRemoteJWKSet(new URL(jwks_uri)) };
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys.get, {
      issuer,
      audience: settings.clientId,
      algorithms: ALGORITHMS,
      maxTokenAge: MAX_AGE,
      clockTolerance: TOLERANCE,
      requiredClaims: ["iat", "jti", "events"],
    });
    return isLogout(payload, protectedHeader.typ)
      ? { sid: text(payload["sid"]), sub: text(payload.sub) }
      : null;
  } catch (error) {
    scope().report({ status: 400, method: "POST", path: "/logout/backchannel", error: String(error) });
    return null;
  }
}

/** An ID token must not pass for one: the event is there, a nonce is not, and somebody is named. */
function isLogout(payload: JWTPayload, typ: string | undefined): boolean {
  const events = payload["events"];
  const isTyped =
    typ === undefined || ["jwt", "logout+jwt"].includes(typ.toLowerCase().replace("application/", ""));
  const names = text(payload["sid"]) ?? text(payload.sub);
  return (
    isTyped &&
    names !== null &&
    payload["nonce"] === undefined &&
    typeof events === "object" &&
    events !== null &&
    EVENT in events
  );
}

/** Those we know by address; one that is made from an organisation's name refuses the session when its bearer ends. */
function backends(): string[] {
  const { upstreamUrl, hosted } = env();
  if (!hosted?.upstreams) return [upstreamUrl];
  return "table" in hosted.upstreams ? Object.values(hosted.upstreams.table) : [];
}

async function tell(url: string, token: string): Promise<void> {
  const body = new URLSearchParams({ logout_token: token });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const told = await fetch(`${url}/auth/backchannel-logout`, { method: "POST", body, signal }).catch(
    () => null,
  );
  await told?.body?.cancel(); // one that does not know the address refuses, and is left alone
}

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
