/** What checks measure: by their spec, and by their transform. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCheckMetrics, type CheckMetrics } from "#server/observe/check-metrics.ts";
import { attempt } from "./attempt.ts";
import type { Outcome } from "./runner.ts";
import { told } from "./told.ts";

let stop: AbortController;
let metrics: CheckMetrics;
beforeEach(() => {
  stop = new AbortController();
  metrics = createCheckMetrics();
});
afterEach(() => stop.abort());

const run = (more: object): Promise<Outcome> =>
  attempt(
    {
      type: "exec",
      namespace: "default",
      name: "stock",
      canaryName: "shop",
      spec: { name: "stock", script: "echo 5", ...more },
    },
    { timeoutMs: 20_000, stop: stop.signal, resolveConnection: () => Promise.reject(new Error("none")) },
  );
const shown = (outcome: Outcome) => {
  const check = {
    ...{ id: "1", canaryId: "c", canaryName: "shop", type: "exec", name: "stock", namespace: "default" },
    ...{
      description: null,
      severity: null,
      labels: {},
      schedule: null,
      spec: { url: "https://me:pass@h/path?token=x" },
    },
  };
  return told(metrics, check, outcome, 3);
};
const lines = (start: string) =>
  [...metrics.lines()]
    .join("")
    .split("\n")
    .filter((line) => line.startsWith(start));

test("a metric's value and labels are expressions over what the check found", async () => {
  const labels = [
    { name: "check", valueExpr: "check.name" },
    { name: "fixed", value: "yes" },
  ];
  const outcome = await run({
    metrics: [
      { name: "stock_items", type: "gauge", value: "int(results.stdout) * 2", labels },
      { name: "stock_ok", type: "counter", value: "results.exitCode == 0" },
    ],
  });
  expect(outcome).toMatchObject({ status: "healthy" });
  expect(shown(outcome)).toBe(outcome);
  expect(lines("stock_")).toEqual(['stock_items{check="stock",fixed="yes"} 10', "stock_ok 1"]);
});

test("no credentials and no query of an address are shown", async () => {
  shown(await run({}));
  expect(lines("canary_check_count")[0]).toContain('endpoint="https://h/path"');
});

test("a failing check measures nothing", async () => {
  const outcome = await run({ test: { expr: "false" }, metrics: [{ name: "n", type: "gauge", value: "1" }] });
  expect(outcome.status).toBe("unhealthy");
  shown(outcome);
  expect(lines("n")).toEqual([]);
});

test.each([
  ["'many'", "gauge", 'metrics.0.value: it must come to a number, not "many"'],
  ["nosuch", "gauge", "metrics.0.value: unknown name nosuch"],
  ["-1", "counter", "metrics.0.value: a counter only goes up, not by -1"],
])("%s as a %s is an invalid check with a sentence", async (value, type, error) => {
  expect(await run({ metrics: [{ name: "n", type, value }] })).toMatchObject({
    status: "unhealthy",
    invalid: true,
    error,
  });
});

test("a transform measures too, for the check and for those it makes", async () => {
  const edited = await run({
    transform: {
      javascript: "[{message: 'm', metrics: [{name: 'edited', type: 'gauge', value: 4, labels: {a: 'b'}}]}]",
    },
  });
  expect(edited).toMatchObject({ status: "healthy", message: "m" });
  shown(edited);
  expect(lines("edited")).toEqual(['edited{a="b"} 4']);
  const made = await run({
    transform: {
      template:
        '[{"name": "one", "pass": true, "metrics": [{"name": "child", "type": "counter", "value": 2, "labels": [{"name": "n", "value": "one"}]}]}, {"name": "two", "metrics": [{"name": "child", "value": 5, "type": "counter"}]}]',
    },
  });
  shown(made);
  expect(lines("child")).toEqual(['child{n="one"} 2']);
  expect(lines("canary_check_info").join("\n")).toMatch(/name="one".* 0\n.*name="two".* 1/s);
});

test("a transform in any language may name labels of the check", async () => {
  for (const transform of [
    { expr: "{'labels': {'tier': 1, 'shop': results.stdout}}" },
    { template: '{"labels": {"tier": "1", "shop": {{ .results.stdout | quote }} } }' },
    { javascript: "({labels: {tier: 1, shop: results.stdout}})" },
  ])
    expect(await run({ transform })).toMatchObject({ status: "healthy", labels: { tier: "1", shop: "5" } });
});

test("what cannot be shown is the check's error", async () => {
  shown(await run({ metrics: [{ name: "n", type: "gauge", value: "1" }] }));
  const outcome = await run({ metrics: [{ name: "n", type: "counter", value: "1" }] });
  expect(shown(outcome)).toMatchObject({
    status: "unhealthy",
    invalid: true,
    error: "metric n is a gauge of check shop/stock, so it cannot be a counter",
  });
  expect(await run({ transform: { expr: "{'metrics': [{'name': '1x', 'value': 1}]}" } })).toMatchObject({
    error: "error transforming result: metrics.0.name is no name of a metric",
  });
});
