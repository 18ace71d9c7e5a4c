/** Numbers of checks for Prometheus: what is written, what is refused, and what goes away again. */
import { beforeEach, expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { createCheckMetrics, type CheckMetrics, type CheckRun } from "./check-metrics.ts";

const RUN: CheckRun = {
  id: "1",
  type: "http",
  name: "stock",
  canary: "shop",
  namespace: "default",
  owner: "ops",
  severity: "high",
  endpoint: 'http://h/"x"',
  healthy: true,
  ms: 40,
  samples: [],
};
const LABELS =
  'canary_name="shop",canary_namespace="default",endpoint="http://h/\\"x\\"",key="1",name="stock",owner="ops",severity="high",type="http"';

let now = 0;
let metrics: CheckMetrics;
beforeEach(() => {
  now = 1_000_000;
  metrics = createCheckMetrics(() => now);
});
const lines = () => [...metrics.lines()].join("").split("\n");
const line = (start: string) => lines().filter((text) => text.startsWith(start));

test("every check has its counters, its state and how long it took", () => {
  metrics.ran({ ...RUN, code: 200, sslDays: 30 });
  metrics.ran({ ...RUN, healthy: false, ms: 700, code: 503 });
  expect(line("canary_check_count")).toEqual([`canary_check_count{${LABELS}} 2`]);
  expect(line("canary_check_success_count")).toEqual([`canary_check_success_count{${LABELS}} 1`]);
  expect(line("canary_check_failed_count")).toEqual([`canary_check_failed_count{${LABELS}} 1`]);
  expect(line("canary_check_info")).toEqual([`canary_check_info{${LABELS}} 1`]);
  expect(line("canary_check{")).toEqual([
    'canary_check{canary_name="shop",canary_namespace="default",key="1",name="stock",type="http"} 1',
  ]);
  expect(line("canary_check_duration")).toEqual([
    ...[
      [5, 0],
      [10, 0],
      [25, 0],
      [50, 1],
      [200, 1],
      [500, 1],
      [1000, 2],
      [3000, 2],
      [10000, 2],
      [30000, 2],
      ["+Inf", 2],
    ].map(([bound, count]) => `canary_check_duration_bucket{${LABELS},le="${bound}"} ${count}`),
    `canary_check_duration_sum{${LABELS}} 740`,
    `canary_check_duration_count{${LABELS}} 2`,
  ]);
  expect(line("canary_check_http_response_status")).toEqual([
    'canary_check_http_response_status{status="200",statusClass="2xx",url="http://h/\\"x\\""} 1',
    'canary_check_http_response_status{status="503",statusClass="5xx",url="http://h/\\"x\\""} 1',
  ]);
  expect(line("canary_check_http_ssl_expiry")).toEqual([
    'canary_check_http_ssl_expiry{url="http://h/\\"x\\""} 30',
  ]);
  expect(lines()).toContain("# TYPE canary_check_duration histogram");
});

test("a metric of a spec counts, shows or files its values, of passing runs only", () => {
  const samples = [
    { name: "sold", type: "counter", value: 2, labels: { shop: "a" } },
    { name: "stock", type: "gauge", value: 7, labels: {} },
    { name: "wait", type: "histogram", value: 0.3, labels: {} },
  ] as const;
  expect(metrics.ran({ ...RUN, samples })).toBeNull();
  expect(metrics.ran({ ...RUN, samples })).toBeNull();
  expect(metrics.ran({ ...RUN, samples, healthy: false })).toBeNull();
  expect(line("sold")).toEqual(['sold{shop="a"} 4']);
  expect(line("stock")).toEqual(["stock 7"]);
  expect(line("wait_")).toContain('wait_bucket{le="0.5"} 2');
  expect(line("wait_count")).toEqual(["wait_count 2"]);
});

test("a clash of types names the check that was first", () => {
  const sample = { name: "n", value: 1, labels: {} };
  metrics.ran({ ...RUN, samples: [{ ...sample, type: "counter" }] });
  expect(metrics.ran({ ...RUN, id: "2", name: "other", samples: [{ ...sample, type: "gauge" }] })).toBe(
    "metric n is a counter of check shop/stock, so it cannot be a gauge",
  );
  expect(line("n")).toEqual(["n 1"]);
});

test("names of the product are taken, and combinations of labels are bounded", () => {
  const many = Array.from({ length: 1001 }, (_, n) => ({
    name: "many",
    type: "gauge" as const,
    value: n,
    labels: { n: String(n) },
  }));
  expect(metrics.ran({ ...RUN, samples: many })).toBe(
    "metric many has more than 1000 combinations of labels",
  );
  expect(line("many{")).toHaveLength(1000);
  expect(
    metrics.ran({ ...RUN, samples: [{ name: "canary_check_count", type: "counter", value: 1, labels: {} }] }),
  ).toBe("metric canary_check_count: names that begin with canary_check are taken");
  const names = Array.from({ length: 600 }, (_, n) => ({ ...many[0]!, name: `m${n}` }));
  expect(metrics.ran({ ...RUN, samples: names })).toContain("there are 500 names of metrics already");
});

test("a check that is called otherwise has no series under its old name, and a silent one goes", () => {
  metrics.ran(RUN);
  metrics.ran({ ...RUN, name: "goods", samples: [{ name: "n", type: "gauge", value: 1, labels: {} }] });
  expect(line("canary_check_count")).toHaveLength(1);
  expect(line("canary_check_count")[0]).toContain('name="goods"');
  now += 27 * 3_600_000;
  metrics.ran({ ...RUN, id: "2", name: "new" });
  expect(line("canary_check_count")).toHaveLength(1);
  expect(line("canary_check_count")[0]).toContain('name="new"');
  expect(line("n ")).toEqual([]);
});

test("past the most that are shown, runs are counted", () => {
  for (let n = 0; n < 10_003; n++) metrics.ran({ ...RUN, id: String(n) });
  expect(line("canary_check_count")).toHaveLength(10_000);
  expect(line("pilothouse_check_runs_unshown_total")).toEqual(["pilothouse_check_runs_unshown_total 3"]);
});

test("all numbers are one text, which gives others their turn while it is written", async () => {
  const all = createMetrics();
  all.observe({ kind: "check.ran", id: "1", status: "healthy", ms: 1 });
  for (let n = 0; n < 2000; n++) all.checks.ran({ ...RUN, id: String(n) });
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const { type, body } = all.render();
  let text = "";
  for await (const piece of body) text += piece;
  clearInterval(timer);
  expect(type).toContain("text/plain");
  expect(text).toContain('pilothouse_check_runs_total{status="healthy"} 1');
  expect(text.match(/^canary_check_count\{/gm)).toHaveLength(2000);
  expect(turns).toBeGreaterThan(3);
});
