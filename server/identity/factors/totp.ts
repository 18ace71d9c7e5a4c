/** Codes of an authenticator app (RFC 6238): SHA-1, six digits, 30 seconds, as every app understands them. Pure. */
import { randomBytes } from "node:crypto";

const PARAMETERS = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Steps before and after the present one that are still taken: clocks differ, and people type slowly. */
const WINDOW = 1;
/** 160 bits, as long as the hash (RFC 4226 §4). */
const SECRET_BYTES = 20;
const ISSUER = "Pilothouse";
/** Pixels of a side of the QR code. */
const QR_SIZE = 256;

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** What was typed, as six digits; null when it is not a code. Apps show it in two groups, and people copy the space. */
export function readTotpCode(typed: string): string | null {
  const code = typed.replace(/\s/g, "");
  return /^\d{6}$/.test(code) ? code : null;
}

/** The 30-second step whose code this is, compared in constant time; null when it is none of those near `now`. */
export async function stepOf(secret: Buffer, code: string, now: Date): Promise<number | null> {
  const { Secret, TOTP } = await import("otpauth");
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...PARAMETERS,
    token: code,
    secret: new Secret({ buffer: bufferOf(secret) }),
    timestamp,
    window: WINDOW,
  });
  return delta === null ? null : TOTP.counter({ period: PARAMETERS.period, timestamp }) + delta;
}

/** What the app is told: the secret to be typed, and a picture of the address that holds it (a `data:` PNG). */
export async function describeTotp(secret: Buffer, account: string) {
  const { Secret, TOTP } = await import("otpauth");
  const { toDataURL } = await import("qrcode");
  const key = new Secret({ buffer: bufferOf(secret) });
  const uri = new TOTP({ ...PARAMETERS, issuer: ISSUER, label: account, secret: key }).toString();
  const src = await toDataURL(uri, { width: QR_SIZE, margin: 2, errorCorrectionLevel: "M" });
  return { typed: key.base32, uri, picture: { src, width: QR_SIZE, height: QR_SIZE } };
}

/** The library wants an ArrayBuffer of exactly these bytes; a Node Buffer may be a window into a larger one. */
const bufferOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
