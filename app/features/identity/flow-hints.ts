/**
 * What a browser and a password manager should know of a field when the identity service does not say. Names are those
 * of the public Ory Kratos API and of the identity schema (facts/engines §14).
 */
const COMPLETIONS: ReadonlyMap<string, string> = new Map([
  ["identifier", "username"],
  ["email", "email"],
  ["traits.email", "email"],
  ["traits.name.first", "given-name"],
  ["traits.name.last", "family-name"],
  ["code", "one-time-code"],
  ["totp_code", "one-time-code"],
  ["lookup_secret", "off"],
]);

/** The `autocomplete` of a field by its name; undefined where the browser may guess. */
export const completionOf = (name: string): string | undefined => COMPLETIONS.get(name);

/** Codes of digits only get the keyboard of digits. */
export const inputModeOf = (name: string): "numeric" | undefined =>
  name === "code" || name === "totp_code" ? "numeric" : undefined;
