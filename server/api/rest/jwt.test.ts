import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RestError } from "./errors.ts";
import { bearerOf, verifyToken } from "./jwt.ts";

const SECRET = "a secret that is long enough for this";
const now = 1_700_000_000_000;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
function token(claims: unknown, { secret = SECRET, alg = "HS256" } = {}): string {
  const text = `${encode({ alg })}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
const message = (text: string) => {
  try {
    verifyToken(text, SECRET, now);
  } catch (error) {
    return error instanceof RestError && error.status === 401 ? error.message : String(error);
  }
  return "valid";
};

test("a signed token's claims are returned", () => {
  expect(verifyToken(token({ role: "a", exp: now / 1000 - 29 }), SECRET, now)).toEqual({
    role: "a",
    exp: now / 1000 - 29,
  });
});

test("times have thirty seconds of grace", () => {
  expect(message(token({ exp: now / 1000 - 31 }))).toBe("JWT expired");
  expect(message(token({ nbf: now / 1000 + 31 }))).toBe("JWTNotYetValid");
  expect(message(token({ iat: now / 1000 + 31 }))).toBe("JWTIssuedAtFuture");
  expect(message(token({ nbf: now / 1000 + 29, iat: now / 1000 + 29 }))).toBe("valid");
});

test("other secrets, algorithms and shapes are refused", () => {
  expect(message(token({}, { secret: "other" }))).toBe("JWSError JWSInvalidSignature");
  expect(message(token({}, { alg: "RS256" }))).toBe("JWSError JWSInvalidSignature");
  expect(message(token({}, { alg: "none" }))).toBe("JWSError JWSNoSignatures");
  expect(message(token([1]))).toContain("expected Object, but encountered Array");
  expect(message("a.b")).toContain("Expected 3 parts; got 2");
});

test("nothing but a RestError is thrown, and a header may carry its words", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.tuple(fc.string(), fc.string(), fc.string()).map((parts) => parts.join(".")),
      ),
      (text) => {
        try {
          verifyToken(text, SECRET, now);
        } catch (error) {
          expect(error).toBeInstanceOf(RestError);
          expect(() => new Headers((error as RestError).headers)).not.toThrow();
        }
      },
    ),
  );
});

test("the scheme is Bearer in any case", () => {
  expect(bearerOf("bearer abc")).toBe("abc");
  expect(bearerOf("Basic abc")).toBeNull();
  expect(bearerOf(null)).toBeNull();
});
