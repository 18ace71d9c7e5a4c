/** The messages of second factors and passkeys: ids and words of the public Ory Kratos API (see ../texts.ts). */
import type { UiText } from "../texts.ts";

const info = (id: number, text: string, context?: UiText["context"]): UiText => ({
  id,
  type: "info",
  text,
  ...(context && { context }),
});
const error = (id: number, text: string): UiText => ({ id, type: "error", text });
const since = (name: string, addedAt: Date) => ({
  display_name: name,
  added_at: addedAt.toISOString(),
  added_at_unix: Math.floor(addedAt.getTime() / 1000),
});

export const labels = {
  save: info(1070003, "Save"),
  verifyCode: info(1070006, "Verify code"),
  loginTotpCode: info(1010006, "Authentication code"),
  loginLookupCode: info(1010007, "Backup recovery code"),
  loginWebauthn: info(1010008, "Sign in with hardware key"),
  loginTotp: info(1010009, "Use Authenticator"),
  loginLookup: info(1010010, "Use backup recovery code"),
  loginPasskey: info(1010021, "Sign in with passkey"),
  totpUnlink: info(1050004, "Unlink TOTP Authenticator App"),
  totpQr: info(1050005, "Authenticator app QR code"),
  totpSecret: info(1050017, "This is your authenticator app secret. Use it if you can not scan the QR code."),
  lookupReveal: info(1050007, "Reveal backup recovery codes"),
  lookupRegenerate: info(1050008, "Generate new backup recovery codes"),
  lookupList: info(1050010, "These are your back up recovery codes. Please keep them in a safe place!"),
  lookupConfirm: info(1050011, "Confirm backup recovery codes"),
  lookupDisable: info(1050016, "Disable this method"),
  webauthnAdd: info(1050012, "Add security key"),
  webauthnName: info(1050013, "Name of the security key"),
  webauthnRemove: (name: string, addedAt: Date) =>
    info(1050018, `Remove security key "${name}"`, since(name, addedAt)),
  passkeyAdd: info(1050019, "Add passkey"),
  passkeyRemove: (name: string, addedAt: Date) =>
    info(1050020, `Remove passkey "${name}"`, since(name, addedAt)),
} as const;

export const texts = {
  totpSecret: (secret: string) => info(1050006, secret, { secret }),
  lookupCode: (secret: string) => info(1050009, secret, { secret }),
  /** Ours: confirmed codes are kept as hashes, so a list of them says which are left and not what they are. */
  lookupUnused: (position: number) => info(1050009, `Code ${position} has not been used`),
  lookupUsed: (usedAt: Date) =>
    info(1050014, `Secret was used at ${usedAt.toISOString()}`, {
      used_at: usedAt.toISOString(),
      used_at_unix: Math.floor(usedAt.getTime() / 1000),
    }),
  lookupCodes: (secrets: UiText[]) => info(1050015, secrets.map(({ text }) => text).join(", "), { secrets }),
  totpWrong: error(4000008, "The provided authentication code is invalid, please try again."),
  noTotp: error(4000011, "You have no TOTP device set up."),
  lookupSpent: error(4000012, "This backup recovery code has already been used."),
  noWebauthn: error(4000013, "You have no WebAuthn device set up."),
  noLookup: error(4000014, "You have no backup recovery codes set up."),
  noSuchPasskey: error(4000015, "This account does not exist or has no security key set up."),
  lookupWrong: error(4000016, "The backup recovery code is not valid."),
} as const;
