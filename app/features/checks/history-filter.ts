/** The drawer's part of the address, and the filters of a check's history (specification 1 §2 and §5). */
import { DURATION_FILTER_ERROR } from "#app/contract/words/checks.ts";
import { int, oneOf, text } from "#app/lib/search.ts";

export const HISTORY_STATUSES = ["all", "healthy", "unhealthy"] as const;
export const DRAWER_TABS = ["history", "graph", "events", "spec", "relationships", "badge"] as const;
export type DrawerTab = (typeof DRAWER_TABS)[number];

/** The drawer's own part of the page's query; the page adds it to its search. */
export const drawerParts = {
  drawerTab: oneOf(DRAWER_TABS, "history"),
  /** Two instants instead of the time range, as a field for date and time writes them, in UTC; `drawerRangeOf` reads them. */
  drawerFrom: text(),
  drawerTo: text(),
  historyPage: int(1, { min: 1 }),
  historyStatus: oneOf(HISTORY_STATUSES, "all"),
  /** As it was typed; `longerThan` reads it. */
  historyDuration: text(),
  /** The instants of runs that are shown in full: what Run Now did, and a row of the history. */
  run: text(),
  historyRun: text(),
  /** The page of "What happened". */
  eventsPage: int(1, { min: 1 }),
};
/** A drawer nobody has touched yet. */
export const FRESH_DRAWER = {
  drawerTab: "history",
  drawerFrom: "",
  drawerTo: "",
  historyPage: 1,
  historyStatus: "all",
  historyDuration: "",
  run: "",
  historyRun: "",
  eventsPage: 1,
} as const;

const UNITS = new Map([
  ["ms", 1],
  ["s", 1000],
]);

/**
 * "500ms" or "1.5 s" as the least duration in ms, or null for none. `error` is the specification's sentence when the
 * text is neither; then nothing is filtered.
 */
export function longerThan(typed: string): { ms: number | null; error: string | null } {
  const words = typed.trim().toLowerCase();
  if (words === "" || words === "none") return { ms: null, error: null };
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s)$/.exec(words) ?? [];
  const size = UNITS.get(unit ?? "");
  return size
    ? { ms: Math.round(Number(amount) * size), error: null }
    : { ms: null, error: DURATION_FILTER_ERROR };
}
