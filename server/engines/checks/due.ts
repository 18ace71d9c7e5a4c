import {
  lastInstant,
  MIN_INTERVAL_MS,
  nextInstant,
  parseSchedule,
  phase,
  type Schedule,
} from "../schedule.ts";

/** What the planner needs to know of a check. */
export interface Scheduled {
  id: string;
  /** The schedule's text as the canary has it; null when it is not scheduled. */
  schedule: string | null;
  /** The instant it is due. */
  nextRuntime: Date;
}

/** What to do with a check that is due. `next` is written before the run begins. */
export interface Turn {
  id: string;
  /** The instant to run for; null: it was missed, and only `next` moves. */
  instant: Date | null;
  /** When it is due again; null: never, until its canary changes. */
  next: Date | null;
}

/** An instant that nobody took for this long, in milliseconds, counts as missed. Ours to choose. */
export const MISSED_AFTER_MS = 60_000;

/** New and changed checks run at once, spread over this many milliseconds so that a big import is no stampede. */
const SOON_MS = 1000;

const parsed = new Map<string, Schedule | Error>();

/** The schedule of a text, remembered: thousands of checks share a few texts. Returns the error instead of throwing. */
export function scheduleOf(text: string): Schedule | Error {
  const known = parsed.get(text);
  if (known) return known;
  if (parsed.size > 10_000) parsed.clear();
  let schedule: Schedule | Error;
  try {
    schedule = parseSchedule(text);
  } catch (error) {
    schedule = error instanceof Error ? error : new Error(String(error));
  }
  parsed.set(text, schedule);
  return schedule;
}

/**
 * Pure: whether a due check runs now, and when it is due again. Of several instants that went by, only the last is run,
 * and only when it is less than a minute old: missed instants are skipped, not made up. A schedule that cannot be read
 * gets one turn, so that its row can say why, and no next.
 */
export function turn(check: Scheduled, now: Date, minMs = MIN_INTERVAL_MS): Turn {
  const { id, nextRuntime } = check;
  const schedule = check.schedule === null ? null : scheduleOf(check.schedule);
  if (schedule === null) return { id, instant: null, next: null };
  if (schedule instanceof Error) return { id, instant: nextRuntime, next: null };
  const last = lastInstant(schedule, id, now, minMs);
  const instant = last && last > nextRuntime ? last : nextRuntime;
  const missed = now.getTime() - instant.getTime() > MISSED_AFTER_MS;
  const after = missed ? now.getTime() : Math.max(now.getTime(), instant.getTime() + minMs - 1);
  return { id, instant: missed ? null : instant, next: nextInstant(schedule, id, new Date(after), minMs) };
}

/** When a new or changed check runs first: within a second, wherever its schedule stands. */
export function soon(id: string, now: Date): Date {
  return new Date(now.getTime() + phase(id, SOON_MS));
}

/** When a check whose run ended at `now` is due, if its next instant went by meanwhile: it does not run twice in a row. */
export function dueAfterRun(
  check: { id: string; schedule: string | null },
  now: Date,
  minMs = MIN_INTERVAL_MS,
) {
  const schedule = check.schedule === null ? null : scheduleOf(check.schedule);
  if (schedule === null || schedule instanceof Error) return null;
  return nextInstant(schedule, check.id, now, minMs);
}

/** The schedule of a canary: its own, else its interval in seconds, else none (it never runs by itself). */
export function effectiveSchedule(spec: { schedule?: unknown; interval?: unknown }): string | null {
  const text = String(spec.schedule ?? "").trim();
  if (text !== "") return text;
  const seconds = Number(spec.interval);
  return Number.isFinite(seconds) && seconds > 0 ? `@every ${seconds}s` : null;
}
