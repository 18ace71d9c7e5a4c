import { createHash } from "node:crypto";
import { Cron } from "croner";

/**
 * When a check runs. Instants are a property of the schedule and the check's id alone, never of when it ran last: every
 * control plane computes the same ones, a slow run delays nothing, and a restart does not shift them.
 */
export type Schedule = { kind: "never" } | { kind: "every"; ms: number } | { kind: "cron"; cron: Cron };

/** The least time between two runs of a check in milliseconds, unless `check.interval.min` says more. */
export const MIN_INTERVAL_MS = 1000;

const UNITS = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
  ["y", 31_536_000_000],
]);

/** A Go duration, extended with d, w and y, in milliseconds; null when it is none. */
export function durationMs(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|[smhdwy]))+$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdwy])/g))
    total += Number(amount) * (UNITS.get(unit ?? "") ?? 0);
  return total;
}

/**
 * Reads `@every 30s`, `@hourly` and its kind, `@never`, and cron of five or six fields, each with an optional `TZ=` or
 * `CRON_TZ=` before it. Without one, times are UTC, so that control planes in different zones agree.
 * Throws an error whose message says what is wrong.
 */
export function parseSchedule(text: string): Schedule {
  const [, zone = "UTC", rest = ""] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(text.trim()) ?? [];
  if (rest === "@never") return { kind: "never" };
  const every = /^@every\s+(\S+)$/.exec(rest);
  if (every) {
    const ms = durationMs(every[1] ?? "");
    if (!ms) throw new Error(`schedule "${text}": @every wants a duration such as 30s or 1h30m`);
    return { kind: "every", ms };
  }
  try {
    const cron = new Cron(rest, { paused: true, timezone: zone, mode: "5-or-6-parts" });
    cron.nextRun();
    return { kind: "cron", cron };
  } catch (error) {
    throw new Error(`schedule "${text}": ${reason(error)}`, { cause: error });
  }
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /time ?zone/i.test(message) ? "the time zone is unknown" : message.replace(/^Cron\w+: /, "");
}

/** Where in its period a check runs: a number in [0, ms) spread evenly over ids, the same on every machine. */
export function phase(id: string, ms: number): number {
  const hash = createHash("sha1").update(id).digest().readUIntBE(0, 6);
  return hash % ms;
}

/** The period that is kept: the schedule's, in whole milliseconds, and not under the least allowed. */
const period = (ms: number, minMs: number) => Math.max(Math.round(ms), minMs);

/** The first instant of the schedule strictly after `after`; null when there is none. */
export function nextInstant(
  schedule: Schedule,
  id: string,
  after: Date,
  minMs = MIN_INTERVAL_MS,
): Date | null {
  if (schedule.kind === "never") return null;
  if (schedule.kind === "cron") return schedule.cron.nextRun(after);
  const every = period(schedule.ms, minMs);
  const offset = phase(id, every);
  return new Date((Math.floor((after.getTime() - offset) / every) + 1) * every + offset);
}

/** The last instant of the schedule at or before `now`; null when there is none. */
export function lastInstant(schedule: Schedule, id: string, now: Date, minMs = MIN_INTERVAL_MS): Date | null {
  if (schedule.kind === "never") return null;
  if (schedule.kind === "cron") return schedule.cron.previousRuns(1, new Date(now.getTime() + 1))[0] ?? null;
  const every = period(schedule.ms, minMs);
  const offset = phase(id, every);
  return new Date(Math.floor((now.getTime() - offset) / every) * every + offset);
}
