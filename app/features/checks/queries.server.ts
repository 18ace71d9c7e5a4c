import { CheckGraph, checkDetailRow, checkIdRow, checkStatusRow } from "#app/contract/rows/checks.ts";
import { STATUS_HISTORY_PAGE_SIZE, type TimeRange } from "#app/contract/words/checks.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, gt, isNull, orderBy } from "#app/lib/filter.ts";
import { oncePerRequest } from "#app/lib/scope.server.ts";
import { displayName, endpointOf, isCheckId, rangeFor, startOf } from "./model.ts";
import type { HealthSearch } from "./paths.ts";

/** What a request remembers its counts by: /health has them with its list (`shareCounts`). */
export const CHECK_COUNTS = "checks.counts";

/** How many checks fail and are there at all, whatever the page is filtered by; a request counts once. */
export const countChecks = (api: Api) =>
  oncePerRequest(CHECK_COUNTS, async () => {
    const having = async (status: string | undefined) =>
      (await api.page(checkIdRow, { deleted_at: isNull, status: eq(status), limit: 0 })).total;
    const [failing, total] = await Promise.all([having("unhealthy"), having(undefined)]);
    return { failing, total };
  });

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
