/** Bearer tokens, HS256 only, checked as PostgREST checks them (facts of PostgREST §16), with its 30 seconds of grace. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { refuse, type RestError } from "./errors.ts";

const SKEW_SECONDS = 30;

function bad(message: string): RestError {
  const description = message.replaceAll(/["\\]/g, "\\$&").replaceAll(/[^\x20-\x7e]/g, "?");
  return refuse(401, "301", message, {
    headers: { "WWW-Authenticate": `Bearer error="invalid_token", error_description="${description}"` },
  });
}

/** No credentials where anonymous requests are not taken. */
export function anonymousOff(): RestError {
  return refuse(401, "302", "Anonymous access is disabled", { headers: { "WWW-Authenticate": "Bearer" } });
}

/** A token came, but there is no secret to check it with. */
export function noSecret(): RestError {
  return refuse(500, "300", "Server lacks JWT secret");
}

/** The token of an Authorization header; null when there is none. */
export function bearerOf(header: string | null): string | null {
  const match = header === null ? null : /^bearer +(.+)$/i.exec(header.trim());
  return match?.[1]?.trim() ?? null;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "Array";
  if (value === null) return "Null";
  if (typeof value === "string") return "String";
  return typeof value === "number" ? "Number" : typeof value === "boolean" ? "Boolean" : "Object";
}

function parseObject(text: string, onWrongKind: (kind: string) => RestError, onBad: () => RestError) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw onBad();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw onWrongKind(kindOf(value));
  return value as Record<string, unknown>;
}

/** The claims of a valid token; 401 PGRST301 for any other. `now` in milliseconds. */
export function verifyToken(token: string, secret: string, now: number): Record<string, unknown> {
  const parts = token.split(".");
  if (parts.length !== 3)
    throw bad(`JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got ${parts.length})`);
  const [head = "", body = "", signature = ""] = parts;
  if (parts.some((part) => !/^[A-Za-z0-9_-]*$/.test(part) || part.length % 4 === 1))
    throw bad('JWSError (JSONDecodeError "Not valid base64url")');
  const text = (part: string) => Buffer.from(part, "base64url").toString("utf8");
  const notHeader = () => bad('JWSError (JSONDecodeError "parsing JWS header failed")');
  const { alg } = parseObject(text(head), notHeader, notHeader);
  if (alg === undefined) throw bad('JWSError (JSONDecodeError "missing required header \\"alg\\"")');
  if (alg === "none") throw bad("JWSError JWSNoSignatures");
  const expected = createHmac("sha256", secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (alg !== "HS256" || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw bad("JWSError JWSInvalidSignature");
  const claims = parseObject(
    text(body),
    (kind) =>
      bad(
        `JWTClaimsSetDecodeError "Error in $: parsing JWT Claims Set failed, expected Object, but encountered ${kind}"`,
      ),
    () =>
      bad(`JWTClaimsSetDecodeError "Error in $: Failed reading: not a valid json value at '${text(body)}'"`),
  );
  checkTimes(claims, now / 1000);
  return claims;
}

function checkTimes(claims: Record<string, unknown>, now: number): void {
  const seconds = (name: string): number | undefined => {
    const value = claims[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === "number") return value;
    const kind = kindOf(value);
    throw bad(
      `JWTClaimsSetDecodeError "Error in $.${name}: parsing NumericDate failed, expected Number, but encountered ${kind}"`,
    );
  };
  const [expires, notBefore, issued] = [seconds("exp"), seconds("nbf"), seconds("iat")];
  if (expires !== undefined && now - SKEW_SECONDS > expires) throw bad("JWT expired");
  if (notBefore !== undefined && now + SKEW_SECONDS < notBefore) throw bad("JWTNotYetValid");
  if (issued !== undefined && now + SKEW_SECONDS < issued) throw bad("JWTIssuedAtFuture");
}
