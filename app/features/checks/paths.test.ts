import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HEALTH } from "#app/contract/words/checks.ts";
import { PAGE_SIZES } from "#app/contract/words/tables.ts";
import { DRAWER_TABS, HISTORY_STATUSES } from "./history-filter.ts";
import { checkPath, healthPath, healthSearch, listPath, SORT_COLUMNS, withoutDrawer } from "./paths.ts";

const read = (query: string) => healthSearch.read(new URLSearchParams(query));
const values = fc.record({
  query: fc.string(),
  status: fc.constantFrom("all" as const, ...HEALTH),
  hidePassing: fc.boolean(),
  groupBy: fc.string({ minLength: 1 }),
  tabBy: fc.string({ minLength: 1 }),
  tab: fc.string(),
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
});

describe("the address of /health", () => {
  test("what is written is what is read", () => {
    fc.assert(
      fc.property(values, (search) => {
        const { searchParams } = new URL(healthPath(search), "http://localhost");
        expect(healthSearch.read(searchParams)).toEqual(search);
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
  const open = checkPath({ ...list, historyPage: 3, timeRange: "1d" }, "abc");
  expect(open).toBe("/health?query=api&page=2&checkId=abc");
  expect(healthPath(withoutDrawer(read(open.split("?")[1] ?? "")))).toBe("/health?query=api&page=2");
});
