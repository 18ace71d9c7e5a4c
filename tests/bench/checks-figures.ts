/** Pure: from the status rows of a while to what the engine did in it. */
import { lastInstant, nextInstant, parseSchedule } from "#server/engines/schedule.ts";

/** One status row, in milliseconds since 1970. */
export interface Ran {
  check: string;
  time: number;
  duration: number;
  created: number;
  passed: boolean;
}
export interface CheckFigures {
  expected: number;
  rows: number;
  /** Instants of the while without a row. */
  missed: number;
  /** Rows beyond the first of an instant. */
  twice: number;
  /** Start after the instant in milliseconds, sorted: all, of the first and of the last ten seconds. */
  lag: { all: number[]; first: number[]; last: number[] };
  /** From the end of the run to the transaction that stored it, in milliseconds, sorted. */
  stored: number[];
  /** How long the runs took, in milliseconds, sorted. */
  took: number[];
  failed: number;
}

const EDGE_MS = 10_000;

/** Every instant of every check in [from, to) must have exactly one row. `rows` may reach beyond `to`. */
export function checkFigures(
  { checks, schedule: text, from, to }: { checks: string[]; schedule: string; from: number; to: number },
  rows: Ran[],
): CheckFigures {
  const schedule = parseSchedule(text);
  const wanted = new Set<string>();
  for (const id of checks)
    for (
      let instant = nextInstant(schedule, id, new Date(from - 1));
      instant !== null && instant.getTime() < to;
      instant = nextInstant(schedule, id, instant)
    )
      wanted.add(`${id} ${instant.getTime()}`);
  const expected = wanted.size;
  const seen = new Set<string>();
  const lag = { all: [] as number[], first: [] as number[], last: [] as number[] };
  const stored: number[] = [];
  const took: number[] = [];
  let [counted, failed] = [0, 0];
  for (const { check, time, duration, created, passed } of rows) {
    const instant = lastInstant(schedule, check, new Date(time))?.getTime() ?? 0;
    if (instant < from || instant >= to) continue;
    counted++;
    took.push(duration);
    if (!passed) failed++;
    seen.add(`${check} ${instant}`);
    wanted.delete(`${check} ${instant}`);
    lag.all.push(time - instant);
    if (instant < from + EDGE_MS) lag.first.push(time - instant);
    if (instant >= to - EDGE_MS) lag.last.push(time - instant);
    stored.push(created - time - duration);
  }
  for (const list of [lag.all, lag.first, lag.last, stored, took]) list.sort((a, b) => a - b);
  return {
    expected,
    rows: counted,
    missed: wanted.size,
    twice: counted - seen.size,
    lag,
    stored,
    took,
    failed,
  };
}

/** The value that this fraction of a sorted list stays at or under; 0 of nothing. */
export const percentile = (sorted: readonly number[], fraction: number): number =>
  sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? 0;
