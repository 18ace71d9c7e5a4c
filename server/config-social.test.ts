import { expect, test } from "vitest";
import { socialOf } from "./config-social.ts";

const one = {
  id: "google",
  label: "Google",
  issuer: "https://accounts.google.com",
  clientId: "here",
  clientSecret: "a canary secret",
};
const read = (list: unknown, more: Record<string, string> = {}) =>
  socialOf({
    SOCIAL_PROVIDERS: typeof list === "string" ? list : JSON.stringify(list),
    PUBLIC_URL: "https://here.example.com",
    ...more,
  });

test("a list of providers, with what is usual left out", () => {
  expect(socialOf({})).toEqual([]);
  const { clientSecret: _, ...open } = one;
  expect(
    read([one, { ...open, id: "own", issuer: "http://127.0.0.1:8080", scopes: "openid email" }]),
  ).toEqual([
    { ...one, scopes: "openid email profile" },
    { ...open, id: "own", issuer: "http://127.0.0.1:8080", clientSecret: null, scopes: "openid email" },
  ]);
});

test.each([
  ["nothing of that kind", "SOCIAL_PROVIDERS must be a list like"],
  [[], "SOCIAL_PROVIDERS must be a list like"],
  [["google"], "provider 1 is no object"],
  [[{ ...one, id: "Google!" }], "the id of provider 1 must be small letters, digits and dashes"],
  [[one, { ...one, label: "" }], "the label of provider 2 must say what the button is called"],
  [[{ ...one, label: "a\nb" }], "the label of provider 1 must be one line"],
  [[{ ...one, issuer: "http://accounts.google.com" }], "the issuer of provider 1 must be the https address"],
  [
    [{ ...one, issuer: "https://accounts.google.com/?x=1" }],
    "the issuer of provider 1 must be the https address",
  ],
  [[{ ...one, clientId: undefined }], "the clientId of provider 1 must be what the provider knows"],
  [[{ ...one, clientSecret: "" }], "the clientSecret of provider 1 must not be empty"],
  [[{ ...one, scopes: "email" }], "the scopes of provider 1 must contain openid"],
  [[{ ...one, secret: "x" }], "provider 1 has secret, which means nothing"],
  [[one, { ...one, issuer: "https://other.example.com" }], "two providers with the id google"],
  [[one, { ...one, id: "second" }], "two providers with the issuer https://accounts.google.com"],
])("%j is refused by a sentence that names the field", (list, words) => {
  expect(() => read(list)).toThrow(words);
  expect(() => read(list)).not.toThrow("canary");
});

test.each([
  [{ PUBLIC_URL: "" }, "PUBLIC_URL must be set"],
  [{ OIDC_ISSUER: "https://id.example.com" }, "makes no sense with OIDC_ISSUER"],
  [{ ORY_KRATOS_URL: "http://kratos:4433" }, "makes no sense with ORY_KRATOS_URL"],
  [{ UPSTREAM_URL: "http://host:8080" }, "makes no sense with UPSTREAM_URL"],
  [{ PILOTHOUSE_MODE: "standalone" }, "makes no sense with PILOTHOUSE_MODE=standalone"],
])("with %j it makes no sense", (more, words) => {
  expect(() => read([one], more)).toThrow(words);
});
