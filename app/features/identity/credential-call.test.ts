import { expect, test } from "vitest";
import { credentialCall } from "./credential-call.ts";

const OPTIONS = '{"publicKey":{"challenge":"AAEC","allowCredentials":[{"id":"-_8","type":"public-key"}]}}';

test.each([
  [
    "a trigger by its name, options in the value",
    "oryWebAuthnLogin",
    `window.oryWebAuthnLogin(${OPTIONS})`,
    OPTIONS,
  ],
  [
    "a call with its options, as older services write it",
    undefined,
    `window.__oryWebAuthnLogin(${OPTIONS})`,
    "",
  ],
])("%s", (_, trigger, handler, value) => {
  expect(credentialCall(trigger, handler, value)).toEqual({
    does: "get",
    from: null,
    into: "webauthn_login",
    method: "webauthn",
    options: OPTIONS,
  });
});

test.each([
  ["oryWebAuthnRegistration", "create", null, "webauthn_register", "webauthn"],
  ["oryPasskeyLogin", "get", "passkey_challenge", "passkey_login", "passkey"],
  ["oryPasskeyLoginAutocompleteInit", "offer", "passkey_challenge", "passkey_login", "passkey"],
  ["oryPasskeyRegistration", "create", "passkey_create_data", "passkey_register", "passkey"],
  ["oryPasskeySettingsRegistration", "create", "passkey_create_data", "passkey_settings_register", "passkey"],
])("%s", (name, does, from, into, method) => {
  const known = { does, from, into, method };
  expect(credentialCall(name, undefined, OPTIONS)).toEqual({ ...known, options: OPTIONS });
  expect(credentialCall(undefined, `window.__${name}()`)).toEqual(
    from === null ? null : { ...known, options: null },
  );
});

test.each([
  [undefined, undefined, ""],
  ["oryUnheardOf", undefined, OPTIONS],
  [undefined, "alert(1)", OPTIONS],
  [undefined, "window.__oryWebAuthnLogin(document.cookie)", ""],
  ["oryWebAuthnLogin", undefined, "{not json"],
])("anything else is nothing to ask a browser: %s %s", (trigger, handler, value) => {
  expect(credentialCall(trigger, handler, value)).toBeNull();
});
