/** Rules of checks, pure. */
import {
  DEFAULT_SEVERITY,
  DISABLED_RATES,
  REFRESH_RATES,
  SHORTEST_RANGE,
  TIME_RANGES,
  type RefreshRate,
  type TimeRange,
} from "#app/contract/words/checks.ts";
import { epoch, type Moment } from "#app/lib/format/age.ts";
import type { Marks } from "#app/lib/search.ts";
import type { SortState } from "#app/ui/table.tsx";
import type { SortColumn } from "./paths.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How far back the drawer looks by itself: the shortest range that holds the last run (specification 1 §4, 1h to 5y). */
export function rangeFor(lastRuntime: Moment, now: number): TimeRange {
  const last = epoch(lastRuntime);
  const minutes = last === null ? 0 : (now - last) / MINUTE;
  const options = TIME_RANGES.slice(TIME_RANGES.findIndex(({ value }) => value === SHORTEST_RANGE));
  return (options.find((option) => option.minutes >= minutes) ?? options.at(-1) ?? TIME_RANGES[1]).value;
}

/** Where a range begins, to the minute: polling every few seconds then asks the same question again. */
export function startOf(range: TimeRange, now: number): string {
  const minutes = TIME_RANGES.find(({ value }) => value === range)?.minutes ?? 60;
  return new Date(Math.floor(now / MINUTE) * MINUTE - minutes * MINUTE).toISOString();
}

/** Longer ranges cost more than they may cost every few seconds (specification 1 §4). None chosen is the last hour, which is always at hand. */
export function isRateDisabled(rate: RefreshRate, range: TimeRange | ""): boolean {
  const minutes = TIME_RANGES.find(({ value }) => value === range)?.minutes ?? 0;
  return DISABLED_RATES.some((limit) => minutes >= limit.minutes && limit.rates.includes(rate));
}

/** The rate by which the page looks again: what was chosen, else the next slower one that is allowed, else none. */
export function rateFor(chosen: RefreshRate, range: TimeRange | ""): (typeof REFRESH_RATES)[number] {
  const from = REFRESH_RATES.findIndex(({ value }) => value === chosen);
  const [none] = REFRESH_RATES;
  if (from <= 0) return none;
  return REFRESH_RATES.slice(from).find(({ value }) => !isRateDisabled(value, range)) ?? none;
}

/** Transitions are shown for a week and then no more (specification 1 §2). */
export function recentTransition(transition: Moment, now: number): Moment {
  const time = epoch(transition);
  return time !== null && now - time <= 7 * DAY ? time : null;
}

/** What a check is called: its name, else its description, else its endpoint (facts/ui-screens §3.4). */
export function displayName(check: {
  name?: string | null | undefined;
  description?: string | null | undefined;
  endpoint?: string | null | undefined;
}): string {
  return check.name || check.description || check.endpoint || "(no name)";
}

/** What a check asks, for the eye: never the name and password a URL may carry. Null when its spec names nothing. */
export function endpointOf(spec: Readonly<Record<string, unknown>> | null | undefined): string | null {
  const named = [spec?.["url"], spec?.["endpoint"], spec?.["host"], spec?.["connection"]].find(
    (part): part is string => typeof part === "string" && part !== "",
  );
  return named?.replace(/(^|\/\/)[^/@\s]*@/, "$1").replace(/\?.*$/s, "") ?? null;
}

type Latency = {
  p95?: number | null | undefined;
  p97?: number | null | undefined;
  p99?: number | null | undefined;
};

/**
 * The one latency of a check, ms: 95 %, else 97 %, else 99 % (facts/ui-screens §3.5). Some backends say zero for what they
 * do not reckon, so a zero counts only when nothing else is there.
 */
export const latencyOf = (latency: Latency | null | undefined): number | null =>
  latency?.p95 || latency?.p97 || latency?.p99 || (latency?.p95 ?? latency?.p97 ?? latency?.p99 ?? null);

export const severityOf = (severity: string | null | undefined): string => severity || DEFAULT_SEVERITY;

/** A last run is worth its age from an hour on, for a week (facts/ui-screens §3.5). */
export function lateRun(ran: Moment, now: number): Moment {
  const time = epoch(ran);
  return time !== null && now - time > 60 * MINUTE && now - time <= 7 * DAY ? time : null;
}

/** A heading click goes up, down, and back to how it was. `null` is the page's own order. */
export function nextSort(
  current: { by: SortColumn; desc: boolean },
  column: SortColumn,
): { by: SortColumn; desc: boolean } | null {
  if (current.by !== column) return { by: column, desc: false };
  return current.desc ? null : { by: column, desc: true };
}

export const sortState = (current: { by: SortColumn; desc: boolean }, column: SortColumn): SortState =>
  current.by !== column ? "none" : current.desc ? "descending" : "ascending";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Anything may stand in a URL; only an id may be asked for. */
export const isCheckId = (text: string): boolean => UUID.test(text);

/** Is a group open when nobody touched it: when it is not all well, or when something in it was searched for. */
const opensItself = (group: { passing: number; checks: number }, query: string) =>
  query.trim() !== "" || group.passing < group.checks;

/** What was opened and closed by hand after one more touch; what a group does by itself is not kept. */
export function toggled(
  marks: Marks,
  group: { key: string; open: boolean; passing: number; checks: number },
  query: string,
): Marks {
  const rest = Object.fromEntries(Object.entries(marks).filter(([key]) => key !== group.key));
  const wanted = !group.open;
  return wanted === opensItself(group, query)
    ? rest
    : Object.fromEntries([...Object.entries(rest), [group.key, wanted ? 1 : -1]]);
}

/** The tabs by alphabet; the one that is open is there also when nothing is left in it. */
export function sortedTabs<Tab extends { value: string; checks: number; failing: number }>(
  tabs: readonly Tab[],
  current: string,
): { value: string; checks: number; failing: number }[] {
  const missing = current !== "" && !tabs.some(({ value }) => value === current);
  const order = ({ value }: { value: string }) => value.toLowerCase();
  return [...tabs, ...(missing ? [{ value: current, checks: 0, failing: 0 }] : [])].sort((a, b) =>
    order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0,
  );
}

/** A strip as it travels (`CheckLine.results`) for the eye. */
export const resultsOf = (strip: string): (boolean | null)[] =>
  [...strip].map((mark) => (mark === "1" ? true : mark === "0" ? false : null));

/** A group is good, bad or mixed (specification 1 §4), as the words of a check's health; without any result it is unknown. */
export function groupHealth(group: { checks: number; passing: number; failing: number }): string {
  if (group.passing === group.checks) return "healthy";
  if (group.failing === group.checks) return "unhealthy";
  return group.passing + group.failing === 0 ? "unknown" : "mixed";
}

/**
 * What a row calls its check: in a group of names what follows the first slash, elsewhere without the namespace it says
 * beside it (facts/ui-screens §3.5 and §3.6).
 */
export function titleIn(group: string | null, title: string, groupBy: string, namespace = ""): string {
  const own =
    namespace !== "" && title.startsWith(`${namespace}/`) ? title.slice(namespace.length + 1) : title;
  const rest = groupBy === "name" && group !== null ? title.slice(title.indexOf("/") + 1) : own;
  return rest || title;
}
