/** Which time the log is shown over. Pure. */
import { AUDIT_RANGES } from "#app/contract/words/audit.ts";
import { utc } from "#app/lib/format/age.ts";
import type { AuditSearch } from "./paths.ts";

const HOUR = 3_600_000;

/** ms since the epoch; `to` is null for "until now". */
export interface Span {
  from: number;
  to: number | null;
  /** "in the last 30 days", for sentences. */
  words: string;
  /** Why the instants that were asked for are not what is shown. */
  error: string | null;
}

/** What a field for date and time says, ms; null for anything else. */
function instantOf(text: string): number | null {
  const [, date, time = "00:00"] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?))?Z?$/.exec(text.trim()) ?? [];
  const at = date ? Date.parse(`${date}T${time}Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

export function spanOf({ from, to, range }: Pick<AuditSearch, "from" | "to" | "range">, now: number): Span {
  const { hours, label } = AUDIT_RANGES.find(({ value }) => value === range) ?? AUDIT_RANGES[0];
  const usual = { from: now - hours * HOUR, to: null, words: `in the last ${label}` };
  if (!from && !to) return { ...usual, error: null };
  const [begin, end] = [instantOf(from), to ? instantOf(to) : now];
  if (begin === null || end === null)
    return {
      ...usual,
      error: `${begin === null ? "From" : "To"} must be a time like 2026-10-14T09:41, in UTC`,
    };
  if (end <= begin) return { ...usual, error: "The range must begin before it ends" };
  return {
    from: begin,
    to: to ? end : null,
    words: `from ${utc(begin)} ${to ? `to ${utc(end)}` : "until now"}`,
    error: null,
  };
}
