import {
  HEALTH,
  HEALTH_DEFAULTS,
  HEALTH_LAYOUTS,
  PIVOT_CELLS,
  REFRESH_RATES,
  TIME_RANGES,
  type HealthView,
} from "#app/contract/words/checks.ts";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from "#app/contract/words/tables.ts";
import { flag, int, marks, oneOf, search, sort, text, type Codec, type SearchOf } from "#app/lib/search.ts";
import { drawerParts, FRESH_DRAWER } from "./history-filter.ts";
import { labelMarks } from "./label-marks.ts";

/** What the table may be sorted by. */
export const SORT_COLUMNS = ["name", "status", "uptime", "latency", "last_transition_time"] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

const pageSize: Codec<number> = {
  read: ([value]) => PAGE_SIZES.find((size) => String(size) === value) ?? DEFAULT_PAGE_SIZE,
  write: (value) => (value === DEFAULT_PAGE_SIZE ? [] : [String(value)]),
};

const range = oneOf(["", ...TIME_RANGES.map(({ value }) => value)], "");

/** The list's own part of the address. What is `HealthView` has the defaults of its reader, and is written below. */
const listParts = {
  query: text(),
  /** Of a link from elsewhere; stronger than `hidePassing`. */
  status: oneOf(["all", ...HEALTH], "all"),
  /** Labels to include (1) and to exclude (-1). */
  labels: labelMarks("labels"),
  /** The value of the tab; empty: All. */
  tab: text(),
  sort: sort(SORT_COLUMNS, { by: "name", desc: false }),
  /** Groups that were opened (1) or closed (-1) by hand. */
  open: marks(),
  pivotBy: oneOf(["", "labels"], ""),
  /** The label whose values are the columns; none: no pivot. */
  pivotLabel: text(),
  pivotCellType: oneOf(PIVOT_CELLS, "checkStatuses"),
  page: int(1, { min: 1 }),
  pageSize,
  /** Stronger than the rate that is remembered. */
  refresh: oneOf(["", ...REFRESH_RATES.map(({ value }) => value)], ""),
  /** Are the filters open, where there is no room for them beside the list? */
  filters: flag(false),
  checkId: text(),
  /** Of the list; while a check is open, of its drawer. Empty: the last hour; as far back as the check's last run needs. */
  timeRange: range,
  /** The list's own range while a check is open. */
  listRange: range,
};
const health = search({ ...listParts, ...drawerParts });

/** What a form may send empty, which is its default. */
const viewOf = (params: URLSearchParams, usual: HealthView): HealthView => {
  const layout = HEALTH_LAYOUTS.find((name) => name === params.get("layout"));
  return {
    hidePassing: flag(usual.hidePassing).read(params.getAll("hidePassing")),
    groupBy: params.get("groupBy") || usual.groupBy,
    tabBy: params.get("tabBy") || usual.tabBy,
    layout: layout ?? usual.layout,
  };
};
const VIEW = ["hidePassing", "groupBy", "tabBy", "layout"] as const;

/** `usual` is what the reader's browser remembers; the address says only what differs from it. */
export type HealthSearch = SearchOf<typeof health> & HealthView & { usual: HealthView };

/** The query of /health (specification 1 §2, facts/ui-screens §3). */
export const healthSearch = {
  read(source: Request | URLSearchParams, usual: HealthView = HEALTH_DEFAULTS): HealthSearch {
    const params = source instanceof URLSearchParams ? source : new URL(source.url).searchParams;
    return { ...health.read(params), ...viewOf(params, usual), usual };
  },
  /** The parameters of the address, for a form that keeps them. */
  entries(values: Partial<HealthSearch>): [string, string][] {
    const { usual = HEALTH_DEFAULTS } = values;
    const pivot = values.pivotLabel
      ? ({ pivotBy: "labels" } as const)
      : ({ pivotBy: "", pivotCellType: undefined } as const);
    const written = health.entries({ ...values, ...pivot } as Partial<HealthSearch>);
    const view = VIEW.flatMap((name): [string, string][] => {
      const value = values[name];
      return value === undefined || value === usual[name] ? [] : [[name, String(value)]];
    });
    return [...written, ...view];
  },
};

export const healthPath = (values: Partial<HealthSearch> = {}, path = "/health") => {
  const query = new URLSearchParams(healthSearch.entries(values)).toString();
  return query ? `${path}?${query}` : path;
};

/** What uptime and latency of the list are of, whether a check is open or not. */
export const listRange = ({ checkId, timeRange, listRange: kept }: HealthSearch) =>
  checkId === "" ? timeRange : kept;

/** The same list without a drawer: where Close leads, and what a filter keeps. */
export const withoutDrawer = (values: HealthSearch): HealthSearch => ({
  ...values,
  checkId: "",
  timeRange: listRange(values),
  listRange: "",
  ...FRESH_DRAWER,
});

/** The list with something else asked of it: from its first page, without a drawer. */
export const listPath = (values: HealthSearch, changes: Partial<HealthSearch>) =>
  healthPath({ ...withoutDrawer(values), page: 1, ...changes });

/** Addresses that differ in one part: a page has one for each of its lines, so the rest is written once. */
export function healthPaths(
  values: Partial<HealthSearch>,
  part: "checkId" | "historyRun",
): (value: string) => string {
  const written = (value: string) => new URLSearchParams({ [part]: value }).toString();
  const [path, place] = [healthPath({ ...values, [part]: "{}" }), written("{}")];
  return (value) => path.replace(place, () => written(value));
}

/** By the list: every line of a page asks with the same one. */
const drawers = new WeakMap<HealthSearch, (checkId: string) => string>();

/** The drawer of one check over the list as it is. */
export function checkPath(values: HealthSearch, checkId: string): string {
  let paths = drawers.get(values);
  if (!paths) {
    paths = healthPaths({ ...withoutDrawer(values), timeRange: "", listRange: listRange(values) }, "checkId");
    drawers.set(values, paths);
  }
  return paths(checkId);
}

/** The history of a check as CSV, with the range and the filters of its drawer. */
export const historyCsvPath = (values: HealthSearch, checkId: string) => {
  const { timeRange, drawerFrom, drawerTo, historyStatus, historyDuration } = values;
  const filters = { timeRange, drawerFrom, drawerTo, historyStatus, historyDuration };
  return healthPath(filters, `/health/checks/${checkId}/history.csv`);
};

/** Where the address of a heartbeat is made. */
export const heartbeatPath = (checkId: string) => `/health/checks/${checkId}/heartbeat`;
