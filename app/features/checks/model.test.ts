import { describe, expect, test } from "vitest";
import { REFRESH_RATES } from "#app/contract/words/checks.ts";
import {
  displayName,
  endpointOf,
  groupHealth,
  isCheckId,
  isRateDisabled,
  lateRun,
  latencyOf,
  nextSort,
  rangeFor,
  rateFor,
  recentTransition,
  resultsOf,
  sortedTabs,
  sortState,
  startOf,
  titleIn,
  toggled,
} from "./model.ts";

const NOW = Date.UTC(2026, 9, 14, 10, 12, 30);
const ago = (minutes: number) => new Date(NOW - minutes * 60_000);
const DAY = 24 * 60;

describe("the drawer looks as far back as the last run needs", () => {
  test.each([
    [0, "1h"],
    [59, "1h"],
    [61, "2h"],
    [2 * DAY + 1, "3d"],
    [40 * DAY, "2mo"],
    [20 * 365 * DAY, "5y"],
  ])("a run %i minutes ago: %s", (minutes, range) => expect(rangeFor(ago(minutes), NOW)).toBe(range));

  test("a check that never ran: the shortest", () => {
    expect(rangeFor(null, NOW)).toBe("1h");
    expect(rangeFor("0001-01-01T00:00:00Z", NOW)).toBe("1h");
  });

  test("the start does not move within a minute", () => {
    expect(startOf("1h", NOW)).toBe("2026-10-14T09:12:00.000Z");
    expect(startOf("1h", NOW + 29_000)).toBe(startOf("1h", NOW));
    expect(startOf("1d", NOW)).toBe("2026-10-13T10:12:00.000Z");
  });
});

describe("a rate that a long range does not allow", () => {
  test.each([
    ["None", "5y", "None"],
    ["15s", "", "15s"],
    ["15s", "15m", "15s"],
    ["15s", "1h", "60s"],
    ["30s", "2h", "60s"],
    ["2m", "2h", "2m"],
    ["2m", "3h", "5m"],
    ["60s", "3h", "60s"],
    ["15m", "5y", "15m"],
  ] as const)("%s over %s is %s", (rate, range, expected) =>
    expect(rateFor(rate, range).value).toBe(expected),
  );

  test("cannot be chosen", () => {
    const disabled = (range: "" | "15m" | "1h" | "1y") =>
      REFRESH_RATES.filter(({ value }) => isRateDisabled(value, range)).map(({ value }) => value);
    expect(["" as const, "15m" as const, "1h" as const, "1y" as const].map(disabled)).toEqual([
      [],
      [],
      ["15s", "30s"],
      ["15s", "30s", "2m", "3m"],
    ]);
  });
});

test("a run says its age when it was not just now, for a week", () => {
  expect([10, 61, 8 * DAY].map((minutes) => lateRun(ago(minutes), NOW) !== null)).toEqual([
    false,
    true,
    false,
  ]);
});

test("a group is good, mixed, bad, or nothing is known of it", () => {
  const health = (passing: number, failing: number) => groupHealth({ checks: 3, passing, failing });
  expect([health(3, 0), health(0, 3), health(1, 2), health(1, 0), health(0, 0)]).toEqual([
    "healthy",
    "unhealthy",
    "mixed",
    "mixed",
    "unknown",
  ]);
});

test("a transition is news for seven days", () => {
  expect(recentTransition(ago(6 * DAY), NOW)).not.toBeNull();
  expect(recentTransition(ago(8 * DAY), NOW)).toBeNull();
  expect(recentTransition(undefined, NOW)).toBeNull();
});

test("a check without a name is called by its description, then its endpoint", () => {
  expect(displayName({ name: "api", description: "d" })).toBe("api");
  expect(displayName({ name: "", description: "d" })).toBe("d");
  expect(displayName({ name: null, endpoint: "https://a" })).toBe("https://a");
  expect(displayName({ name: null })).toBe("(no name)");
});

test("an endpoint is shown without what only the engine may know", () => {
  expect(endpointOf({ url: "https://shop.example/orders?token=abc" })).toBe("https://shop.example/orders");
  expect(endpointOf({ connection: "postgres://app:p@ss@db:5432/x?sslmode=off" })).not.toMatch(/p@ss|app/);
  expect(endpointOf({ url: "https://me:secret@shop.example/" })).toBe("https://shop.example/");
  expect(endpointOf({ url: "", host: "db" })).toBe("db");
  expect(endpointOf({ port: 5432 })).toBeNull();
  expect(endpointOf(null)).toBeNull();
});

test("a row's latency is the 95th percentile, and zero only when nothing else is there", () => {
  expect(latencyOf({ p95: 84, p97: 90, p99: 120 })).toBe(84);
  expect(latencyOf({ p95: 0, p97: 0, p99: 120 })).toBe(120);
  expect(latencyOf({ p95: 0 })).toBe(0);
  expect(latencyOf({ p95: null, p99: 0 })).toBe(0);
  expect(latencyOf({})).toBeNull();
  expect(latencyOf(null)).toBeNull();
});

test("a heading sorts up, then down, then not", () => {
  const up = { by: "status", desc: false } as const;
  const down = { by: "status", desc: true } as const;
  expect(nextSort({ by: "name", desc: false }, "status")).toEqual(up);
  expect(nextSort(up, "status")).toEqual(down);
  expect(nextSort(down, "status")).toBeNull();
  expect([sortState(up, "status"), sortState(down, "status"), sortState(up, "name")]).toEqual([
    "ascending",
    "descending",
    "none",
  ]);
});

test("only an id is an id", () => {
  expect(isCheckId("018f5a3e-0000-7000-8000-00000000abcd")).toBe(true);
  for (const text of ["", "1", "constructor", "018f5a3e-0000-7000-8000-00000000abcd,x"])
    expect(isCheckId(text)).toBe(false);
});

test("a group remembers a touch only while it says something else than the group by itself", () => {
  const bad = { key: "shop", open: true, passing: 1, checks: 3 };
  const good = { key: "edge", open: false, passing: 2, checks: 2 };
  expect(toggled({}, bad, "")).toEqual({ shop: -1 });
  expect(toggled({ shop: -1 }, { ...bad, open: false }, "")).toEqual({});
  expect(toggled({ shop: -1 }, good, "")).toEqual({ shop: -1, edge: 1 });
  expect(toggled({}, { ...good, open: true }, "word")).toEqual({ edge: -1 });
  expect(Object.keys(toggled({}, { ...good, key: "__proto__" }, ""))).toEqual(["__proto__"]);
});

test("tabs go by alphabet, and the open one is there when nothing is left in it", () => {
  const tab = (value: string) => ({ value, checks: 2, failing: 1 });
  expect(sortedTabs([tab("b"), tab("A"), tab("c")], "").map(({ value }) => value)).toEqual(["A", "b", "c"]);
  expect(sortedTabs([tab("b")], "a")).toEqual([{ value: "a", checks: 0, failing: 0 }, tab("b")]);
});

test("a strip is read mark by mark, and a name in a group of names without what they share", () => {
  expect(resultsOf("10?")).toEqual([true, false, null]);
  expect(titleIn("Pay", "Pay/in/EU", "name")).toBe("in/EU");
  expect(titleIn("Pay", "Pay", "name")).toBe("Pay");
  expect(titleIn("Pay", "Pay/", "name")).toBe("Pay/");
  expect(titleIn("shop", "Pay/in", "canary_name")).toBe("Pay/in");
  expect(titleIn(null, "Pay/in", "name")).toBe("Pay/in");
  expect(titleIn("g", "shop/api", "type", "shop")).toBe("api");
  expect(titleIn("g", "shop/", "type", "shop")).toBe("shop/");
});
