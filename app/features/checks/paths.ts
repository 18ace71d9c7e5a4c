import { HEALTH, HEALTH_DEFAULTS, TIME_RANGES } from "#app/contract/words/checks.ts";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from "#app/contract/words/tables.ts";
import { flag, int, marks, oneOf, search, sort, text, type Codec, type SearchOf } from "#app/lib/search.ts";
import { drawerParts, FRESH_DRAWER } from "./history-filter.ts";

/** What the table may be sorted by. */
export const SORT_COLUMNS = ["name", "status", "uptime", "latency", "last_transition_time"] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

const pageSize: Codec<number> = {
  read: ([value]) => PAGE_SIZES.find((size) => String(size) === value) ?? DEFAULT_PAGE_SIZE,
  write: (value) => (value === DEFAULT_PAGE_SIZE ? [] : [String(value)]),
};

/** A choice that a form may send empty, which is its default. */
const choice = (fallback: string): Codec<string> => ({
  read: ([value]) => value || fallback,
  write: (value) => (value === fallback ? [] : [value]),
});

/** The query of /health (specification 1 §2, facts/ui-screens §3). */
export const healthSearch = search({
  query: text(),
  /** Of a link from elsewhere; stronger than `hidePassing`. */
  status: oneOf(["all", ...HEALTH], "all"),
  hidePassing: flag(HEALTH_DEFAULTS.hidePassing),
  groupBy: choice(HEALTH_DEFAULTS.groupBy),
  tabBy: choice(HEALTH_DEFAULTS.tabBy),
  /** The value of the tab; empty: All. */
  tab: text(),
  sort: sort(SORT_COLUMNS, { by: "name", desc: false }),
  /** Groups that were opened (1) or closed (-1) by hand. */
  open: marks(),
  page: int(1, { min: 1 }),
  pageSize,
  checkId: text(),
  /** Of the drawer; empty: as far back as the check's last run needs. */
  timeRange: oneOf(["", ...TIME_RANGES.map(({ value }) => value)], ""),
  ...drawerParts,
});
export type HealthSearch = SearchOf<typeof healthSearch>;

export const healthPath = (values?: Partial<HealthSearch>) => healthSearch.href("/health", values);

/** The same list without a drawer: where Close leads, and what a filter keeps. */
export const withoutDrawer = (values: HealthSearch): HealthSearch => ({
  ...values,
  checkId: "",
  timeRange: "",
  ...FRESH_DRAWER,
});

/** The list with something else asked of it: from its first page, without a drawer. */
export const listPath = (values: HealthSearch, changes: Partial<HealthSearch>) =>
  healthPath({ ...withoutDrawer(values), page: 1, ...changes });

/** The drawer of one check over the list as it is. */
export const checkPath = (values: HealthSearch, checkId: string) =>
  healthPath({ ...withoutDrawer(values), checkId });
