/**
 * Secrets of second factors at rest, under the key of the installation (PILOTHOUSE_KEY): what has to be read again is
 * sealed (AES-256-GCM), what is only compared is hashed with the key, so that a copy of the database alone is of no use.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Vault {
  /** Encrypts; `owner` (whose it is) is bound to it, so that a row copied to somebody else does not open. */
  seal(owner: string, secret: Uint8Array): Buffer;
  /** The secret, or null when it was sealed for another owner, under another key, or was damaged. */
  open(owner: string, sealed: Buffer): Buffer | null;
  /** A keyed hash, the same for the same owner and word. */
  hash(owner: string, word: string): Buffer;
}

export function createVault(key: string): Vault {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", key, "pilothouse", purpose, 32));
  const sealing = derive("identity.factor.seal");
  const hashing = derive("identity.factor.hash");
  return {
    seal(owner, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealing, iv).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    open(owner, sealed) {
      if (sealed.length <= IV_BYTES + TAG_BYTES) return null;
      const iv = sealed.subarray(0, IV_BYTES);
      try {
        const decipher = createDecipheriv("aes-256-gcm", sealing, iv, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(owner))
          .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      } catch {
        return null;
      }
    },
    hash: (owner, word) =>
      createHmac("sha256", hashing)
        .update(JSON.stringify([owner, word]))
        .digest(),
  };
}
