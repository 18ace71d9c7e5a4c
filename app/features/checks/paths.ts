import { HEALTH, TIME_RANGES } from "#app/contract/words/checks.ts";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from "#app/contract/words/tables.ts";
import { int, oneOf, search, sort, text, type Codec, type SearchOf } from "#app/lib/search.ts";

/** What the table may be sorted by: what the database has an index or a small column for. */
export const SORT_COLUMNS = ["name", "status", "last_transition_time"] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

const pageSize: Codec<number> = {
  read: ([value]) => PAGE_SIZES.find((size) => String(size) === value) ?? DEFAULT_PAGE_SIZE,
  write: (value) => (value === DEFAULT_PAGE_SIZE ? [] : [String(value)]),
};

/** The query of /health (specification 1 §2); names are the specification's, also where this page uses few of them. */
export const healthSearch = search({
  query: text(),
  status: oneOf(["all", ...HEALTH], "all"),
  sort: sort(SORT_COLUMNS, { by: "name", desc: false }),
  page: int(1, { min: 1 }),
  pageSize,
  checkId: text(),
  /** Of the drawer; empty: as far back as the check's last run needs. */
  timeRange: oneOf(["", ...TIME_RANGES.map(({ value }) => value)], ""),
  historyPage: int(1, { min: 1 }),
});
export type HealthSearch = SearchOf<typeof healthSearch>;

export const healthPath = (values?: Partial<HealthSearch>) => healthSearch.href("/health", values);

/** The same list without a drawer: where Close leads, and what a filter keeps. */
export const withoutDrawer = (values: HealthSearch): HealthSearch => ({
  ...values,
  checkId: "",
  timeRange: "",
  historyPage: 1,
});

/** The drawer of one check over the list as it is. */
export const checkPath = (values: HealthSearch, checkId: string) =>
  healthPath({ ...withoutDrawer(values), checkId });
