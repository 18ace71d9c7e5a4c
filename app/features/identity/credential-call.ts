/**
 * What a flow's button asks of the browser (WebAuthn): the options as the identity service wrote them, and the hidden
 * field that takes the answer. Pure: the service's own names are read, its scripts are never run.
 */
export interface CredentialCall {
  /** Make a credential, use one, or offer those there are while the e-mail is typed. */
  does: "create" | "get" | "offer";
  /** JSON of the options; null: they are in the hidden field `from`. */
  options: string | null;
  from: string | null;
  /** The hidden field for the answer. */
  into: string;
  /** The flow's method that reads it. */
  method: "webauthn" | "passkey";
}

type Known = Omit<CredentialCall, "options">;
const CALLS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ["WebAuthnLogin", { does: "get", from: null, into: "webauthn_login", method: "webauthn" }],
  ["WebAuthnRegistration", { does: "create", from: null, into: "webauthn_register", method: "webauthn" }],
  ["PasskeyLogin", { does: "get", from: "passkey_challenge", into: "passkey_login", method: "passkey" }],
  [
    "PasskeyLoginAutocompleteInit",
    { does: "offer", from: "passkey_challenge", into: "passkey_login", method: "passkey" },
  ],
  [
    "PasskeyRegistration",
    { does: "create", from: "passkey_create_data", into: "passkey_register", method: "passkey" },
  ],
  [
    "PasskeySettingsRegistration",
    { does: "create", from: "passkey_create_data", into: "passkey_settings_register", method: "passkey" },
  ],
]);

/**
 * Reads a trigger by its name (Kratos 1.3 and newer: `oryWebAuthnLogin`, options in the value) or by the call of its
 * `onclick` (before: `window.__oryWebAuthnLogin({…})`). Null for anything else.
 */
export function credentialCall(
  trigger: string | undefined,
  handler: string | undefined,
  value = "",
): CredentialCall | null {
  const [, called, argument = ""] =
    /^(?:window\.)?_*ory(\w+)\(([\s\S]*)\);?$/.exec(handler?.trim() ?? "") ?? [];
  const known = CALLS.get(trigger?.replace(/^_*ory/, "") ?? called ?? "");
  if (!known) return null;
  const options = [value, argument].map((text) => text.trim()).find(isOptions) ?? null;
  return options === null && known.from === null ? null : { ...known, options };
}

function isOptions(text: string): boolean {
  if (!text.startsWith("{")) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
