import { expect, test } from "vitest";
import { expand, type Canary } from "./expand.ts";

const canary = (spec: Record<string, unknown>, rest: Partial<Canary> = {}): Canary => ({
  id: "c",
  agent_id: "0",
  name: "shop",
  namespace: "prod",
  labels: null,
  annotations: null,
  spec,
  deleted: false,
  ...rest,
});

test("one check per entry, of known and unknown types, with the canary's schedule", () => {
  const checks = expand(
    canary({
      interval: 30,
      severity: "high",
      http: [
        { name: "home", url: "http://a" },
        { name: "cart", namespace: "other", description: "d", icon: "i" },
      ],
      carrierPigeon: [{ name: "bird" }],
      env: [{ name: "not a check" }],
      webhook: { name: "hook" },
    }),
  );
  expect(checks.map(({ type, name, namespace, schedule }) => [type, name, namespace, schedule])).toEqual([
    ["http", "home", "prod", "@every 30s"],
    ["http", "cart", "other", "@every 30s"],
    ["carrierPigeon", "bird", "prod", "@every 30s"],
    ["webhook", "hook", "prod", null], // others drive it
  ]);
  expect(checks[1]).toMatchObject({ description: "d", icon: "i", severity: "high" });
});

test("a type that nobody runs here has its row and no schedule", () => {
  const spec = { schedule: "@hourly", kubernetes: [{ name: "pods" }], http: [{ name: "a" }] };
  expect(expand(canary(spec)).map(({ type, schedule }) => [type, schedule])).toEqual([
    ["kubernetes", null],
    ["http", "@hourly"],
  ]);
});

test("two words for a type are one list", () => {
  const spec = { alertManager: [{ name: "a" }], alertmanager: [{ name: "a" }], mongo: [{}] };
  expect(expand(canary(spec)).map(({ type, name }) => [type, name])).toEqual([
    ["alertmanager", "a"],
    ["alertmanager", "a (2)"],
    ["mongodb", "mongodb 1"],
  ]);
});

test("labels: the check's over the canary's, one by severity and one by owner, without tools' noise", () => {
  const [check] = expand(
    canary(
      { severity: "high", owner: "team-a", http: [{ name: "a", labels: { tier: "2", n: 1 } }] },
      {
        labels: { tier: "1", app: "shop", "pod-template-hash": "x", "kustomize.toolkit.fluxcd.io/name": "y" },
      },
    ),
  );
  expect(check!.labels).toEqual({ app: "shop", tier: "2", n: "1", high: "true", "team-a": "true" });
});

test("no entry is lost: nameless ones are numbered, names that occur twice too, and odd ones stay", () => {
  const checks = expand(canary({ http: [{}, { name: "a" }, { name: "a" }, "text", null] }));
  expect(checks.map((check) => check.name)).toEqual(["http 1", "a", "a (2)", "http 4", "http 5"]);
  expect(checks[3]!.spec).toEqual({ given: "text" });
});

test("a suspended canary keeps its checks and stops their schedule; a deleted one has none", () => {
  const spec = { schedule: "@hourly", http: [{ name: "a" }] };
  expect(expand(canary(spec, { annotations: { suspend: "true" } })).map((check) => check.schedule)).toEqual([
    null,
  ]);
  expect(expand(canary(spec, { annotations: { suspend: "false" } })).map((check) => check.schedule)).toEqual([
    "@hourly",
  ]);
  expect(expand(canary(spec, { deleted: true }))).toEqual([]);
});
