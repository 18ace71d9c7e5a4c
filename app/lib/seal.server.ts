import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypted, tamper-proof values for cookies (AES-256-GCM), and their pieces when one cookie is too small. */

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Browsers keep about 4096 bytes of name, value and attributes together. */
const CHUNK_CHARS = 3800;
/** More than this and servers begin to refuse the request's header. */
const MAX_CHUNKS = 6;

/** A key of its own for each purpose, derived from the one secret. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "pilothouse", purpose, 32));

/** Encrypts any JSON value; the result holds only letters, digits, `-` and `_`. `name` is bound to it. */
export function seal(key: Buffer, name: string, value: unknown): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(name));
  const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
}

/** The sealed value, or null when it was not sealed with this key under this name. */
export function unseal(key: Buffer, name: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(name))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString("utf8")) as unknown;
  } catch {
    return null; // forged, damaged, or sealed with a key that has been changed since
  }
}

/** The cookies that hold a value: `name` when it fits, else `name.0`, `name.1`, … */
export function splitCookie(name: string, value: string): Map<string, string> {
  if (value.length <= CHUNK_CHARS) return new Map([[name, value]]);
  const chunks = value.match(new RegExp(`.{1,${CHUNK_CHARS}}`, "gs")) ?? [];
  if (chunks.length > MAX_CHUNKS)
    throw new Error(`The cookie ${name} is too large (${value.length} characters).`);
  return new Map(chunks.map((chunk, index) => [`${name}.${index}`, chunk]));
}

/** The value held by `name` or by its chunks, or null. */
export function joinCookie(name: string, cookies: ReadonlyMap<string, string>): string | null {
  const whole = cookies.get(name);
  if (whole !== undefined) return whole;
  const chunks: string[] = [];
  for (
    let chunk = cookies.get(`${name}.0`);
    chunk !== undefined;
    chunk = cookies.get(`${name}.${chunks.length}`)
  )
    chunks.push(chunk);
  return chunks.length > 0 ? chunks.join("") : null;
}

/** Every cookie of the browser that belongs to `name`, chunks included. */
export const cookieNames = (name: string, cookies: ReadonlyMap<string, string>): string[] =>
  [...cookies.keys()].filter((other) => other === name || new RegExp(`^${name}\\.\\d+$`).test(other));
