/** Values that specs only refer to, and words that are no type that runs: what every run goes through. */
import { describe, expect, test } from "vitest";
import { attempt } from "#server/engines/checks/attempt.ts";
import { createLookUp } from "#server/engines/references.ts";

const never = new AbortController().signal;
const lookUp = createLookUp({
  folder: null,
  variables: { PH_SECRET_SITE_TOKEN: "very-secret-token", PH_CONFIGMAP_SITE_NAME: "harborline" },
});
const attempted = (type: string, spec: object) =>
  attempt(
    { type, namespace: "default", spec: { name: "check", ...spec } },
    {
      timeoutMs: 5000,
      stop: never,
      lookUp,
      resolveConnection: () => Promise.resolve({ url: "", password: "stored-password" }),
    },
  );
const token = { valueFrom: { secretKeyRef: { name: "site", key: "token" } } };

describe("values kept elsewhere", () => {
  test("reach the run, and are masked in all that it says", async () => {
    const outcome = await attempted("exec", {
      script: 'echo "$TOKEN of $NAME"; echo "$TOKEN" >&2; exit 1',
      env: [
        { name: "TOKEN", ...token },
        { name: "NAME", value: "configmap://site/name" },
      ],
      test: { expr: "results.stdout == 'very-secret-token of harborline'" },
      display: { expr: "'said ' + results.stdout" },
    });
    expect(outcome).toMatchObject({
      status: "unhealthy",
      error: "exit code 1: ***",
      message: "said *** of harborline",
      details: { stdout: "*** of harborline", stderr: "***" },
    });
  });

  test("one that is missing is the check's error, with its field", async () => {
    const missing = { valueFrom: { secretKeyRef: { name: "site", key: "other" } } };
    expect(await attempted("exec", { script: "true", env: [{ name: "A", ...missing }] })).toMatchObject({
      invalid: true,
      error: expect.stringMatching(/^env\.0\.value: secret site\/other was not found: /),
    });
  });

  test("a connection's password is masked too", async () => {
    expect(
      await attempted("http", { connection: "connection://stored-password/x", test: { expr: "true" } }),
    ).toMatchObject({ error: expect.stringContaining("connection://***/x") });
  });
});

test("a mistyped type is asked back, and a known one that is not run here says so", async () => {
  expect(await attempted("htpp", {})).toMatchObject({
    invalid: true,
    error: "unknown check type htpp, did you mean http?",
  });
  expect(await attempted("carrierPigeon", {})).toMatchObject({ error: "unknown check type carrierPigeon" });
  expect(await attempted("kubernetes", {})).toMatchObject({
    error: "This version does not run Kubernetes checks.",
  });
});

test("a suite skips what nobody runs here", async () => {
  const spec = {
    resultMode: "junit",
    kubernetes: [{ name: "pods" }],
    exec: [{ name: "e", script: "true" }],
  };
  const outcome = await attempt(
    { type: "junit", namespace: "default", name: "all", spec },
    { timeoutMs: 5000, stop: never, resolveConnection: () => Promise.reject(new Error("none")) },
  );
  expect(outcome).toMatchObject({
    status: "healthy",
    message: "1 of 2 passed",
    details: {
      passed: 1,
      failed: 0,
      tests: [
        { name: "pods", status: "skipped", message: "This version does not run Kubernetes checks." },
        { name: "e", status: "passed" },
      ],
    },
  });
});
