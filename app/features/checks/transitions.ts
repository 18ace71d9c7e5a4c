/** When a check turned, from its runs. Pure: what a control plane with `check.transitions` does in SQL. */
import type { CheckStatusRow, CheckTransition } from "#app/contract/rows/check-drawer.ts";

/**
 * The turns among the runs of a range, newest first. `before` is the status of the last run with a result before the
 * range, null when there is none: then the first run counts as a turn. Runs without a result turn nothing.
 */
export function transitionsOf(
  oldestFirst: readonly CheckStatusRow[],
  before: boolean | null,
): CheckTransition[] {
  const turns: CheckTransition[] = [];
  let status = before;
  for (const run of oldestFirst) {
    if (run.status === null || run.status === undefined || run.status === status) continue;
    const last = turns.at(-1);
    if (last) last.until = run.time;
    const { time, duration, message, error } = run;
    turns.push({
      time,
      from: status,
      to: run.status,
      duration,
      message,
      error,
      approximate: false,
      until: null,
    });
    status = run.status;
  }
  return turns.reverse();
}
