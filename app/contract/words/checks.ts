/** Words and numbers of health checks that the specification fixes. Plain values: safe to ship to the browser. */

/** Specification 1 §2: what the status query of /health accepts. */
export const HEALTH = ["healthy", "unhealthy", "warning", "unknown"] as const;
export type Health = (typeof HEALTH)[number];

/** Specification 1 §2: the fixed Group By options; every label key is one more. */
export const GROUP_BY = [
  { value: "no-group", label: "No Grouping" },
  { value: "canary_name", label: "Group Name" },
  { value: "name", label: "Name" },
  { value: "description", label: "Description" },
  { value: "type", label: "Type" },
] as const;
/** Specification 1 §2: the fixed Tab By options; every label key is one more. */
export const TAB_BY = [
  { value: "namespace", label: "Namespace" },
  { value: "agent_id", label: "Agent" },
] as const;
/** Specification 1 §2: a summary table or cards. */
export const HEALTH_LAYOUTS = ["table", "card"] as const;
/** facts/ui-screens §3.5: what a cell of the pivot shows. */
export const PIVOT_CELLS = ["checkStatuses", "latency", "uptime"] as const;

/** How a reader likes the list; a browser remembers it. */
export interface HealthView {
  hidePassing: boolean;
  groupBy: string;
  tabBy: string;
  layout: (typeof HEALTH_LAYOUTS)[number];
}
/** Specification 1 §2 and §9. */
export const HEALTH_DEFAULTS: HealthView = {
  hidePassing: true,
  tabBy: "namespace",
  groupBy: "canary_name",
  layout: "table",
};
/** Specification 1 §4: the shortest range a drawer begins with. */
export const SHORTEST_RANGE = "1h";
export const HEALTH_SEARCH_PLACEHOLDER = "Search by name, description, or endpoint";

/** Specification 1 §9. */
export const STATUS_HISTORY_PAGE_SIZE = 50;
/** Specification 1 §9: the duration filter of the status history. */
export const STATUS_HISTORY_DURATIONS = ["100ms", "500ms", "1s", "5s", "10s", "30s"] as const;
/** Specification 1 §5. */
export const DURATION_FILTER_ERROR = "duration is allowed only in milli seconds & seconds";

/** Specification 1 §9: time ranges and their minutes (a month is 30 days, a year 360). */
export const TIME_RANGES = [
  { value: "15m", minutes: 15, label: "15 minutes" },
  { value: "1h", minutes: 60, label: "1 hour" },
  { value: "2h", minutes: 120, label: "2 hours" },
  { value: "3h", minutes: 180, label: "3 hours" },
  { value: "6h", minutes: 360, label: "6 hours" },
  { value: "12h", minutes: 720, label: "12 hours" },
  { value: "1d", minutes: 1440, label: "1 day" },
  { value: "2d", minutes: 2880, label: "2 days" },
  { value: "3d", minutes: 4320, label: "3 days" },
  { value: "1w", minutes: 10_080, label: "1 week" },
  { value: "2w", minutes: 20_160, label: "2 weeks" },
  { value: "3w", minutes: 30_240, label: "3 weeks" },
  { value: "1mo", minutes: 43_200, label: "1 month" },
  { value: "2mo", minutes: 86_400, label: "2 months" },
  { value: "3mo", minutes: 129_600, label: "3 months" },
  { value: "6mo", minutes: 259_200, label: "6 months" },
  { value: "1y", minutes: 518_400, label: "1 year" },
  { value: "2y", minutes: 1_036_800, label: "2 years" },
  { value: "3y", minutes: 1_555_200, label: "3 years" },
  { value: "5y", minutes: 2_592_000, label: "5 years" },
] as const;
export type TimeRange = (typeof TIME_RANGES)[number]["value"];

/** Specification 1 §4: what the health page refreshes by; null is None. */
export const REFRESH_RATES = [
  { value: "None", seconds: null, label: "None" },
  { value: "15s", seconds: 15, label: "15 seconds" },
  { value: "30s", seconds: 30, label: "30 seconds" },
  { value: "60s", seconds: 60, label: "1 minute" },
  { value: "2m", seconds: 120, label: "2 minutes" },
  { value: "3m", seconds: 180, label: "3 minutes" },
  { value: "5m", seconds: 300, label: "5 minutes" },
  { value: "10m", seconds: 600, label: "10 minutes" },
  { value: "15m", seconds: 900, label: "15 minutes" },
] as const;
export type RefreshRate = (typeof REFRESH_RATES)[number]["value"];
/** Specification 1 §4: from so many minutes of time range on, these rates are disabled. */
export const DISABLED_RATES: readonly { minutes: number; rates: readonly RefreshRate[] }[] = [
  { minutes: 60, rates: ["15s", "30s"] },
  { minutes: 180, rates: ["2m", "3m"] },
];

/** Specification 1 §9: the severity of a check whose canary names none. */
export const DEFAULT_SEVERITY = "low";

/** How many results the strip of a check shows. */
export const STRIP = 24;

/** How many values of a label the page offers, and how many columns a pivot has at most. */
export const MOST_LABEL_VALUES = 100;
export const MOST_PIVOT_COLUMNS = 24;
/** The tab of checks that no agent sent. */
export const LOCAL_TAB = "local";
