import { describe, expect, test } from "vitest";
import { readWebEnv } from "./env.server.ts";

const GIVEN = { UPSTREAM_URL: "http://127.0.0.1:8080", SESSION_SECRET: "secret" };

test("what the supervisor sets is enough", () => {
  expect(readWebEnv(GIVEN)).toMatchObject({
    upstreamUrl: "http://127.0.0.1:8080",
    publicUrl: null,
    trustProxy: 0,
    isSecure: false,
  });
});

test("a backend may live below a path, and https makes cookies secure", () => {
  const env = readWebEnv({
    ...GIVEN,
    UPSTREAM_URL: "https://host/api/",
    PUBLIC_URL: "https://ours.example/",
  });
  expect(env).toMatchObject({ upstreamUrl: "https://host/api", isSecure: true });
});

describe("a wrong value is one sentence that names it", () => {
  test.each([
    [{ SESSION_SECRET: "x" }, "UPSTREAM_URL is not set"],
    [{ UPSTREAM_URL: GIVEN.UPSTREAM_URL }, "SESSION_SECRET is not set"],
    [{ ...GIVEN, UPSTREAM_URL: "ftp://host" }, "UPSTREAM_URL must be an http or https address"],
    [{ ...GIVEN, PUBLIC_URL: "ours.example" }, "PUBLIC_URL must be an http or https address"],
    [{ ...GIVEN, TRUST_PROXY: "yes" }, "TRUST_PROXY must be a number"],
  ])("%j", (variables, sentence) => {
    expect(() => readWebEnv(variables)).toThrow(sentence);
  });
});
