import {
  CHECK_TRANSITIONS,
  CheckTransitions,
  checkStatusRow,
  type CheckStatusRow,
} from "#app/contract/rows/check-drawer.ts";
import { STATUS_HISTORY_PAGE_SIZE } from "#app/contract/words/checks.ts";
import type { Backend } from "#app/lib/about.server.ts";
import type { Api } from "#app/lib/api.server.ts";
import { iso } from "#app/lib/format/age.ts";
import { eq, gte, lt, lte, notNull, orderBy } from "#app/lib/filter.ts";
import type { Span } from "./drawer-range.ts";
import { transitionsOf } from "./transitions.ts";

/** Runs the web reads of a backend that does not tell when a check turned, and rows in one answer of `/db`. */
const MOST = 5000;
const ROWS_PER_CALL = 1000;

/** One page of when a check turned, newest first. `isWhole` is false where there were more runs than the web reads. */
export async function checkEvents(
  { api, backend }: { api: Api; backend(): Promise<Backend> },
  id: string,
  { from, to }: Span,
  page: number,
) {
  const offset = (page - 1) * STATUS_HISTORY_PAGE_SIZE;
  if ((await backend()).offers(CHECK_TRANSITIONS)) {
    const asked = new URLSearchParams({
      start: iso(from) ?? "",
      end: iso(to) ?? "",
      limit: String(STATUS_HISTORY_PAGE_SIZE),
      offset: String(Math.min(offset, 999_999_999)),
    });
    const { total, transitions } = await api.call(`/ph/checks/${id}/transitions?${asked}`, CheckTransitions);
    return { rows: transitions, total, isWhole: true };
  }
  const [before, runs] = await Promise.all([lastBefore(api, id, from), newestRuns(api, id, { from, to })]);
  const isWhole = runs.length < MOST;
  // Of what was not read nothing is known: the oldest run that was read is no turn.
  const turns = isWhole ? transitionsOf(runs, before) : transitionsOf(runs.slice(1), runs[0]?.status ?? null);
  return { rows: turns.slice(offset, offset + STATUS_HISTORY_PAGE_SIZE), total: turns.length, isWhole };
}

async function lastBefore(api: Api, id: string, from: number): Promise<boolean | null> {
  const row = await api.find(checkStatusRow, {
    check_id: eq(id),
    time: lt(iso(from)),
    status: notNull,
    order: orderBy("time.desc"),
  });
  return row?.status ?? null;
}

/** The newest runs of the range that have a result, as many as the web reads, oldest first. */
async function newestRuns(api: Api, id: string, { from, to }: Span): Promise<CheckStatusRow[]> {
  const runs: CheckStatusRow[] = [];
  for (let offset = 0; offset < MOST; offset += ROWS_PER_CALL) {
    const some = await api.list(checkStatusRow, {
      check_id: eq(id),
      time: [gte(iso(from)), lte(iso(to))],
      status: notNull,
      order: orderBy("time.desc"),
      limit: ROWS_PER_CALL,
      offset,
    });
    runs.push(...some);
    if (some.length < ROWS_PER_CALL) break;
  }
  return runs.reverse();
}
