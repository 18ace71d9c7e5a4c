import { z } from "zod";
import { checkStatusRow } from "#app/contract/rows/check-drawer.ts";
import { STATUS_HISTORY_PAGE_SIZE } from "#app/contract/words/checks.ts";
import type { Api } from "#app/lib/api.server.ts";
import { iso } from "#app/lib/format/age.ts";
import { eq, gt, gte, is, lt, lte, orderBy, type Query } from "#app/lib/filter.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import type { DrawerRange } from "./drawer-range.ts";
import { longerThan } from "./history-filter.ts";
import type { HealthSearch } from "./paths.ts";

type Filters = Pick<HealthSearch, "historyStatus" | "historyDuration">;

/** The runs of a check in a range that the filters leave; a duration that cannot be read filters nothing. */
export function historyQuery(id: string, { from, to, value }: DrawerRange, filters: Filters): Query {
  const { historyStatus, historyDuration } = filters;
  return {
    check_id: eq(id),
    time: [gt(iso(from)), value === null ? lte(iso(to)) : undefined],
    status: historyStatus === "all" ? undefined : is(historyStatus === "healthy" ? "true" : "false"),
    duration: gte(longerThan(historyDuration).ms),
  };
}

/** Newest first, with the number of all runs in the range that the filters leave. */
export async function checkHistory(api: Api, id: string, range: DrawerRange, search: HealthSearch) {
  const page = await api.page(checkStatusRow, {
    ...historyQuery(id, range, search),
    order: orderBy("time.desc"),
    limit: STATUS_HISTORY_PAGE_SIZE,
    offset: (search.historyPage - 1) * STATUS_HISTORY_PAGE_SIZE,
  });
  return { ...page, error: longerThan(search.historyDuration).error };
}

/** More than this of a run's details is not put into a page, characters. */
const MOST_DETAILS = 32_000;

/**
 * One run in full: its row, and its details as JSON text (`/canary/api/details`), null when it has none. `time` is as an
 * address names it; null when there is no run of that instant.
 */
export async function runOf(api: Api, id: string, time: string) {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return null;
  const row = await api.find(checkStatusRow, {
    check_id: eq(id),
    time: [gte(iso(at)), lt(iso(at + 1))],
  });
  if (!row) return null;
  const text = await detailsOf(api, id, at);
  return {
    ...row,
    details: text?.slice(0, MOST_DETAILS) ?? null,
    isCut: (text?.length ?? 0) > MOST_DETAILS,
  };
}
export type RunInFull = NonNullable<Awaited<ReturnType<typeof runOf>>>;

/** A run without details is told apart by none: backends answer null, an empty object or 404. */
async function detailsOf(api: Api, key: string, time: number): Promise<string | null> {
  const asked = new URLSearchParams({ key, time: iso(time) ?? "" });
  try {
    const details = await api.call(`/canary/api/details?${asked}`, z.unknown());
    const isEmpty =
      details === null ||
      details === undefined ||
      (typeof details === "object" && Object.keys(details).length === 0);
    return isEmpty ? null : JSON.stringify(details, null, 2);
  } catch (error) {
    if (error instanceof UpstreamError && error.status === 404) return null;
    throw error;
  }
}
