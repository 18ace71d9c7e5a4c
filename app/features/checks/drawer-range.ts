/** Which time the drawer looks at. Pure. */
import { TIME_RANGES, type TimeRange } from "#app/contract/words/checks.ts";
import { utc, type Moment } from "#app/lib/format/age.ts";
import { rangeFor, startOf } from "./model.ts";
import type { HealthSearch } from "./paths.ts";

const MINUTE = 60_000;

/** A stretch of time, ms since the epoch. */
export interface Span {
  from: number;
  to: number;
}
export interface DrawerRange extends Span {
  /** The option it is, null when two instants were chosen. */
  value: TimeRange | null;
  /** "in the last 1 hour" or "from … to …", for sentences. */
  words: string;
  /** Why the instants that were asked for are not what is shown. */
  error: string | null;
}
type Asked = Pick<HealthSearch, "drawerFrom" | "drawerTo" | "timeRange">;

/**
 * Two instants of the address, else its range, else as far back as the check's last run needs (specification 1 §4).
 */
export function drawerRangeOf(asked: Asked, lastRuntime: Moment, now: number): DrawerRange {
  const custom = customSpan(asked, now);
  if (custom && "from" in custom) {
    const words = `from ${utc(custom.from)} to ${utc(custom.to)}`;
    return { ...custom, value: null, words, error: null };
  }
  const value = asked.timeRange || rangeFor(lastRuntime, now);
  const label = TIME_RANGES.find((range) => range.value === value)?.label ?? value;
  return {
    value,
    from: Date.parse(startOf(value, now)),
    to: now,
    words: `in the last ${label}`,
    error: custom?.error ?? null,
  };
}

/** "2026-10-14T09:41", as a field for date and time writes it, in UTC. */
export const instantText = (time: number): string => new Date(time).toISOString().slice(0, 16);

/** What such a field says, ms since the epoch; null for anything else. A whole ISO time is understood as well. */
function instantOf(text: string): number | null {
  const [, date, time = "00:00"] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?)?$/.exec(text.trim()) ?? [];
  const at = date ? Date.parse(`${date}T${time}Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function customSpan({ drawerFrom, drawerTo }: Asked, now: number): Span | { error: string } | null {
  if (!drawerFrom && !drawerTo) return null;
  const from = instantOf(drawerFrom);
  const to = drawerTo ? instantOf(drawerTo) : now;
  if (from === null || to === null)
    return { error: `${from === null ? "From" : "To"} must be a time like 2026-10-14T09:41, in UTC` };
  const end = Math.min(to, now);
  if (end - from < MINUTE) return { error: "The range must begin at least a minute before it ends" };
  return { from, to: end };
}
