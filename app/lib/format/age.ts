/** Relative time in short units: s, m, h, d, mo, y (specification 1 §9). Pure: the caller says what "now" is. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;
const YEAR = 365.25 * DAY;

/** [below this many units, milliseconds in the unit, its letters]: 44 s, 44 min, 21 h, 25 d, 10 mo, then years. */
const STEPS: readonly [limit: number, unit: number, letters: string][] = [
  [44.5 * SECOND, SECOND, "s"],
  [44.5 * MINUTE, MINUTE, "m"],
  [21.5 * HOUR, HOUR, "h"],
  [25.5 * DAY, DAY, "d"],
  [10.5 * MONTH, MONTH, "mo"],
  [Infinity, YEAR, "y"],
];

/** A moment as upstream or a loader gives it. The year 1 is a Go zero time and means "never". */
export type Moment = Date | string | number | null | undefined;

/** Milliseconds since the epoch, or null for no, an unreadable or a zero time. */
export function epoch(moment: Moment): number | null {
  if (moment === null || moment === undefined || moment === "") return null;
  const date = new Date(moment);
  const time = date.getTime();
  return Number.isNaN(time) || date.getUTCFullYear() <= 1 ? null : time;
}

/** How long between two moments, whichever is first: "14s", "31m", "2h", "4d", "3mo", "1y"; "" when one is missing. */
export function age(moment: Moment, now: Moment): string {
  const from = epoch(moment);
  const to = epoch(now);
  if (from === null || to === null) return "";
  const distance = Math.abs(to - from);
  const step = STEPS.find(([limit]) => distance < limit);
  if (!step) return "";
  const [, unit, letters] = step;
  const amount = Math.round(distance / unit);
  return unit === SECOND ? `${amount}s` : `${Math.max(1, amount)}${letters}`;
}

/** With its direction: "31m ago", "in 46s". */
export function ago(moment: Moment, now: Moment): string {
  const text = age(moment, now);
  if (!text) return "";
  return (epoch(moment) ?? 0) > (epoch(now) ?? 0) ? `in ${text}` : `${text} ago`;
}

/** The whole moment with its zone: "2026-10-14 09:41:00 UTC". The same on the server and in every browser. */
export function utc(moment: Moment): string {
  const time = epoch(moment);
  if (time === null) return "";
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** For `<time dateTime>`: ISO 8601, or undefined. */
export function iso(moment: Moment): string | undefined {
  const time = epoch(moment);
  return time === null ? undefined : new Date(time).toISOString();
}
