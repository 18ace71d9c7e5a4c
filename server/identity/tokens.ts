/** Secrets that are handed out once and kept only as a hash, and the masking of the CSRF token. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits as base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token. Fast on purpose: 256 random bits cannot be guessed. */
export function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Constant-time; false when either is absent. */
export function sameDigest(a: Buffer | null, b: Buffer | null): boolean {
  return a !== null && b !== null && a.length === b.length && timingSafeEqual(a, b);
}

/** The logout token of a session: derived, so that nothing more is stored and only the cookie's holder knows it. */
export function logoutToken(sessionToken: string): string {
  return createHash("sha256").update(`logout\0${sessionToken}`).digest("base64url");
}

const CSRF_BYTES = 32;

/** A fresh value for the CSRF cookie. */
export function newCsrfToken(): string {
  return randomBytes(CSRF_BYTES).toString("base64url");
}

/** Different in every form although the cookie stays: a pad, and the token xored with it (against BREACH). */
export function maskCsrf(token: string): string {
  const pad = randomBytes(CSRF_BYTES);
  return Buffer.concat([pad, xor(Buffer.from(token, "base64url"), pad)]).toString("base64");
}

/** The token inside a form value, masked or plain; null when it is neither. */
export function unmaskCsrf(value: string): string | null {
  const bytes = Buffer.from(value, "base64");
  if (bytes.length === CSRF_BYTES) return bytes.toString("base64url");
  if (bytes.length !== CSRF_BYTES * 2) return null;
  return xor(bytes.subarray(CSRF_BYTES), bytes.subarray(0, CSRF_BYTES)).toString("base64url");
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
}
