import { expect, test } from "vitest";
import { createMask } from "./mask.ts";

const masking = (...secrets: string[]) => {
  const mask = createMask();
  for (const secret of secrets) mask.conceal(secret);
  return mask.apply;
};

test("a secret is masked in every text, however deep, in values and in names", () => {
  expect(
    masking("hunter2")({
      error: "login with hunter2 failed, hunter2!",
      details: { list: ["hunter2", 7, null, { hunter2: true }] },
    }),
  ).toEqual({
    error: "login with *** failed, ***!",
    details: { list: ["***", 7, null, { "***": true }] },
  });
});

test.each([
  ["in a URL", "p@ss word", "http://me:p%40ss%20word@host"],
  ["in JSON", 'say "hi"', '{"a":"say \\"hi\\""}'],
  ["in Base64", "p@ss", "Bearer cEBzcw=="],
  ["with letters that patterns know", "a+(b)*c", "x a+(b)*c y"],
])("it is found %s", (_, secret, text) => {
  expect(masking(secret)(text)).toContain("***");
});

test("a line of a key is found", () => {
  const apply = masking("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END KEY-----");
  expect(apply("bad base64: MIIEvQIBADANBgkqhkiG9w0BAQ")).toBe("bad base64: ***");
});

test("a longer secret goes before one that it begins with, and a short one only alone", () => {
  expect(masking("pass", "password-1")("password-1 and pass")).toBe("*** and ***");
  expect(masking("1")("exit code 1, after 100 ms")).toBe("exit code ***, after 100 ms");
});

test("without secrets a value is itself; dates stay dates", () => {
  const value = { at: new Date() };
  expect(createMask().apply(value)).toBe(value);
  expect(masking("hidden", "")(value)).toEqual(value);
});
