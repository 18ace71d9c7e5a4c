import {
  CheckGraph,
  checkDetailRow,
  checkIdRow,
  checkRow,
  checkStatusRow,
  checkSummaryRow,
} from "#app/contract/rows/checks.ts";
import { STATUS_HISTORY_PAGE_SIZE, type TimeRange } from "#app/contract/words/checks.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, gt, ilike, inList, isNull, or, orderBy, type Query } from "#app/lib/filter.ts";
import { oncePerRequest } from "#app/lib/scope.server.ts";
import { displayName, endpointOf, isCheckId, latencyOf, rangeFor, startOf } from "./model.ts";
import type { HealthSearch } from "./paths.ts";

/** How many results the strip of a row shows. */
const RESULTS = 24;
/** Ids in one address: 200 are 9 kB, and servers refuse more than 16 kB. */
const IDS_PER_CALL = 200;

/** The search box asks name, description and endpoint; a check that never ran has no status. */
const filters = ({ query, status }: HealthSearch): Query => ({
  deleted_at: isNull,
  status: status === "unknown" ? isNull : eq(status),
  or: or(
    ["name", "description", "spec->>url", "spec->>endpoint", "spec->>host"].map(
      (column) => [column, ilike(query)] as const,
    ),
  ),
});

/** Ties are broken by name and id, so that a page never repeats a row of the one before it. */
function orderOf({ sort }: HealthSearch) {
  const first = `${sort.by}.${sort.desc ? "desc" : "asc"}.nullslast`;
  return sort.by === "name" ? orderBy(first, "id") : orderBy(first, "name", "id");
}

/**
 * One page of checks with uptime and latency: the rows with their last results, then the summaries of just those rows.
 */
export async function listChecks(api: Api, search: HealthSearch) {
  const { rows, total } = await api.page(checkRow, {
    ...filters(search),
    "results.order": orderBy("time.desc"),
    "results.limit": RESULTS,
    order: orderOf(search),
    limit: search.pageSize,
    offset: (search.page - 1) * search.pageSize,
  });
  const summaries = await summariesOf(
    api,
    rows.map(({ id }) => id),
  );
  return {
    total,
    rows: rows.map(({ results, ...check }) => {
      const summary = summaries.get(check.id);
      return {
        ...check,
        uptime: summary?.uptime ?? null,
        latency: latencyOf(summary?.latency),
        results: results.map(({ status }) => status ?? null).reverse(),
      };
    }),
  };
}
export type ListedCheck = Awaited<ReturnType<typeof listChecks>>["rows"][number];

async function summariesOf(api: Api, ids: readonly string[]) {
  const parts = Array.from({ length: Math.ceil(ids.length / IDS_PER_CALL) }, (_, index) =>
    ids.slice(index * IDS_PER_CALL, (index + 1) * IDS_PER_CALL),
  );
  const rows = await Promise.all(parts.map((part) => api.list(checkSummaryRow, { id: inList(part) })));
  return new Map(rows.flat().map((row) => [row.id, row]));
}

/**
 * How many checks fail, pass, and are there at all, whatever the page is filtered by. The shell and the page both ask;
 * a request counts once.
 */
export const countChecks = (api: Api) =>
  oncePerRequest("checks.counts", async () => {
    const having = async (status: string | undefined) =>
      (await api.page(checkIdRow, { deleted_at: isNull, status: eq(status), limit: 0 })).total;
    const [failing, passing, total] = await Promise.all([
      having("unhealthy"),
      having("healthy"),
      having(undefined),
    ]);
    return { failing, passing, total };
  });
export type CheckCounts = Awaited<ReturnType<typeof countChecks>>;

/**
 * What the drawer shows of one check: itself, its figures and a page of its history, over the asked time range or the
 * one its last run needs. Null when there is no such check; the spec stays on the server.
 */
export async function findCheck(api: Api, { checkId, timeRange, historyPage }: HealthSearch, now: number) {
  const check = isCheckId(checkId) ? await api.find(checkDetailRow, { id: eq(checkId) }) : null;
  if (!check) return null;
  const range = timeRange || rangeFor(check.last_runtime, now);
  const [graph, history] = await Promise.all([
    checkGraph(api, check.id, range, now),
    checkHistory(api, check.id, range, now, historyPage),
  ]);
  const { spec, ...rest } = check;
  const endpoint = endpointOf(spec);
  return { ...rest, displayName: displayName({ ...check, endpoint }), endpoint, range, graph, history };
}
export type CheckInDrawer = NonNullable<Awaited<ReturnType<typeof findCheck>>>;

/** Uptime and latency over the range, both null when nothing ran in it. */
function checkGraph(api: Api, check: string, range: TimeRange, now: number) {
  const asked = new URLSearchParams({ check, start: startOf(range, now) });
  return api.call(`/canary/api/graph?${asked.toString()}`, CheckGraph);
}

/** Newest first, with the number of all runs in the range. */
const checkHistory = (api: Api, id: string, range: TimeRange, now: number, page: number) =>
  api.page(checkStatusRow, {
    check_id: eq(id),
    time: gt(startOf(range, now)),
    order: orderBy("time.desc"),
    limit: STATUS_HISTORY_PAGE_SIZE,
    offset: (page - 1) * STATUS_HISTORY_PAGE_SIZE,
  });
