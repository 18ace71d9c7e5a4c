import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HEALTH, HEALTH_LAYOUTS, PIVOT_CELLS } from "#app/contract/words/checks.ts";
import { PAGE_SIZES } from "#app/contract/words/tables.ts";
import { DRAWER_TABS, HISTORY_STATUSES } from "./history-filter.ts";
import { labelWords } from "./label-marks.ts";
import {
  checkPath,
  healthPath,
  healthSearch,
  listPath,
  listRange,
  SORT_COLUMNS,
  withoutDrawer,
} from "./paths.ts";

const read = (query: string) => healthSearch.read(new URLSearchParams(query));
const view = fc.record({
  hidePassing: fc.boolean(),
  groupBy: fc.string({ minLength: 1 }),
  tabBy: fc.string({ minLength: 1 }),
  layout: fc.constantFrom(...HEALTH_LAYOUTS),
});
const rest = fc.record({
  query: fc.string(),
  status: fc.constantFrom("all" as const, ...HEALTH),
  labels: fc.dictionary(fc.string({ minLength: 1 }), fc.constantFrom(1 as const, -1 as const)),
  tab: fc.string(),
  pivotLabel: fc.string(),
  pivotCellType: fc.constantFrom(...PIVOT_CELLS),
  refresh: fc.constantFrom("" as const, "None" as const, "2m" as const),
  filters: fc.boolean(),
  listRange: fc.constantFrom("" as const, "3h" as const),
  open: fc.dictionary(fc.string({ minLength: 1 }), fc.constantFrom(1 as const, -1 as const)),
  sort: fc.record({ by: fc.constantFrom(...SORT_COLUMNS), desc: fc.boolean() }),
  page: fc.integer({ min: 1, max: 1e6 }),
  pageSize: fc.constantFrom(...PAGE_SIZES),
  checkId: fc.string(),
  timeRange: fc.constantFrom("" as const, "1h" as const, "1mo" as const),
  drawerTab: fc.constantFrom(...DRAWER_TABS),
  historyPage: fc.integer({ min: 1, max: 1e6 }),
  historyStatus: fc.constantFrom(...HISTORY_STATUSES),
  historyDuration: fc.string(),
  drawerFrom: fc.string(),
  drawerTo: fc.string(),
  run: fc.string(),
  historyRun: fc.string(),
  eventsPage: fc.integer({ min: 1, max: 1e6 }),
});
const values = fc.tuple(rest, view, view).map(([search, shown, usual]) => ({
  ...search,
  ...shown,
  usual,
  ...(search.pivotLabel === ""
    ? { pivotBy: "" as const, pivotCellType: "checkStatuses" as const }
    : { pivotBy: "labels" as const }),
}));

describe("the address of /health", () => {
  test("what is written is what is read", () => {
    fc.assert(
      fc.property(values, (search) => {
        const { searchParams } = new URL(healthPath(search), "http://localhost");
        expect(healthSearch.read(searchParams, search.usual)).toEqual(search);
      }),
    );
  });

  test("defaults never show", () => {
    expect(healthPath(read(""))).toBe("/health");
    expect(healthPath()).toBe("/health");
  });

  test("garbage reads as the default", () => {
    expect(read("status=sad&page=-1&pageSize=7&sortBy=constructor&timeRange=1x&historyPage=0")).toEqual({
      ...read(""),
    });
  });

  test("a choice that a form sends empty is the default", () => {
    expect(healthPath(read("groupBy=&tabBy=&tab="))).toBe("/health");
    expect(healthPath(read("groupBy=canary_name&tabBy=namespace&hidePassing=true"))).toBe("/health");
    expect(read("hidePassing=false&groupBy=no-group").hidePassing).toBe(false);
  });

  test("another question begins at its first page, without a drawer", () => {
    expect(listPath(read("query=a&page=3&checkId=x"), { tab: "shop" })).toBe("/health?query=a&tab=shop");
  });

  test("the specification's names", () => {
    const search = read("query=api&status=unhealthy&sortBy=status&sortDesc=true&pageSize=100&page=2");
    expect(search).toMatchObject({ query: "api", status: "unhealthy", sort: { by: "status", desc: true } });
    expect(healthPath(search)).toBe(
      "/health?query=api&status=unhealthy&sortBy=status&sortDesc=true&page=2&pageSize=100",
    );
  });
});

test("a drawer keeps the list under it, and closing it leaves nothing behind", () => {
  const list = read("query=api&page=2");
  const open = checkPath({ ...list, historyPage: 3, run: "x" }, "abc");
  expect(open).toBe("/health?query=api&page=2&checkId=abc");
  const touched = read(`${open.split("?")[1]}&timeRange=6h&drawerTab=spec&drawerFrom=a&drawerTo=b&run=x`);
  expect(healthPath(withoutDrawer(touched))).toBe("/health?query=api&page=2");
});

test("every check of a list has its own address, whatever the list is searched for", () => {
  const list = read("query=checkId%3D%7B%7D%26checkId&labels=canary____checkId%3D%7B%7D:1");
  for (const id of ["abc", "$& {}", "def"])
    expect(read(checkPath(list, id).split("?")[1] ?? "").checkId).toBe(id);
  expect(read(checkPath(list, "abc").split("?")[1] ?? "").query).toBe("checkId={}&checkId");
});

test("list and drawer look back as far as each was told", () => {
  const open = checkPath(read("timeRange=1d"), "abc");
  expect(open).toBe("/health?checkId=abc&listRange=1d");
  const further = read("checkId=abc&listRange=1d&timeRange=1y");
  expect([listRange(further), further.timeRange]).toEqual(["1d", "1y"]);
  expect(healthPath(withoutDrawer(further))).toBe("/health?timeRange=1d");
});

test("the address says what differs from what its reader is used to", () => {
  const usual = { hidePassing: false, groupBy: "type", tabBy: "namespace", layout: "card" } as const;
  const search = healthSearch.read(new URLSearchParams("tabBy=team&layout=table"), usual);
  expect(search).toMatchObject({ hidePassing: false, groupBy: "type", tabBy: "team", layout: "table" });
  expect(listPath(search, { groupBy: "canary_name" })).toBe(
    "/health?groupBy=canary_name&tabBy=team&layout=table",
  );
  expect(listPath(search, { ...usual })).toBe("/health");
});

describe("labels", () => {
  const marks = { "canary:team:shop": 1, "canary:pci:true": -1 } as const;
  test("are a map in JSON, as links have it", () => {
    expect(healthPath({ labels: marks })).toBe(
      `/health?${new URLSearchParams({ labels: JSON.stringify(marks) })}`,
    );
    const twice = new URLSearchParams({ labels: encodeURIComponent(JSON.stringify(marks)) });
    expect(healthSearch.read(twice).labels).toEqual(marks);
  });
  test("come from a form of check boxes", () => {
    expect(read("labels.in=canary:team:shop&labels.in=canary:app:a:b").labels).toEqual({
      "canary:team:shop": 1,
      "canary:app:a:b": 1,
    });
  });
  test("come from a form of radios", () => {
    const sent = `labels.canary:team:shop=1&labels.canary:tier:gold=&labels={"canary:pci:true":-1,"x":0}`;
    expect(read(sent).labels).toEqual(marks);
  });
  test("that are none are none", () => {
    for (const text of ["", "[1]", "{", "null", '{"a":2}', "%"])
      expect(read(`labels=${text}`).labels).toEqual({});
  });
  test("are called by their key where they only say yes", () => {
    expect(["canary:pci:true", "canary:team:a:b"].map(labelWords)).toEqual(["pci", "team: a:b"]);
  });
});
