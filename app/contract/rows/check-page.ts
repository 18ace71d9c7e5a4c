/**
 * One page of the health list, as `POST /canary/api/summary` answers it to a body with a `page` (feature `summary.page`).
 * A backend that does not know the parameter answers its plain summary, and the web makes the page of it.
 */
import { z } from "zod";
import { TIME_RANGES } from "../words/checks.ts";

/** The feature's name in `GET /canary/about`. */
export const SUMMARY_PAGE = "summary.page";
export const CHECK_SORTS = ["name", "status", "uptime", "latency", "last_transition_time"] as const;
const RANGES = TIME_RANGES.map(({ value }) => value);
const mark = z.union([z.literal(1), z.literal(-1)]);

/** What the page is asked for. Names and meanings are those of the address of /health (specification 1 §2). */
export const CheckPageQuestion = z.object({
  /** Part of a name, a description, an endpoint or a group's name; empty for all. */
  query: z.string().max(10_000).default(""),
  /** Stronger than `hidePassing`. `warning` is what is in a mixed group, `unknown` what never ran. */
  status: z.enum(["all", "healthy", "unhealthy", "warning", "unknown"]).default("all"),
  /** Leaves out what is healthy. */
  hidePassing: z.boolean().default(false),
  /** `namespace`, `agent_id` or a label's key. */
  tabBy: z.string().max(1000).default("namespace"),
  /** The value of the tab; empty for all. */
  tab: z.string().max(10_000).default(""),
  /** `no-group`, `canary_name`, `name`, `description`, `type` or a label's key. */
  groupBy: z.string().max(1000).default("canary_name"),
  /** Groups that were opened (1) and closed (-1) by hand; the others are open when they are not all well. */
  open: z.record(z.string(), mark).default({}),
  /** Every group is open, whoever touched it: for files. */
  flat: z.boolean().default(false),
  /** `canary:{key}:{value}` to include (1) or exclude (-1). Excluding wins; one of the included is enough. */
  labels: z.record(z.string().max(10_000), mark).default({}),
  /** What uptime and latency are of; empty: the last hour, else the newest result. */
  timeRange: z.enum(["", ...RANGES]).default(""),
  /** A label's key: then the answer is a pivot, groups by the values of this label. */
  pivotLabel: z.string().max(1000).default(""),
  sortBy: z.enum(CHECK_SORTS).default("name"),
  sortDesc: z.boolean().default(false),
  limit: z.int().min(1).max(1000).default(50),
  offset: z.int().min(0).default(0),
});
export type CheckPageQuestion = z.output<typeof CheckPageQuestion>;

const whole = z.number().int();
const moment = z.string().nullable();

/** Checks drawn as one line; `passed` and `failed` are runs of the time range. */
const GroupLine = z.object({
  kind: z.literal("group"),
  key: z.string(),
  open: z.boolean(),
  checks: whole,
  passing: whole,
  failing: whole,
  /** Members that failed no run. */
  perfect: whole,
  passed: whole,
  failed: whole,
  /** The mean of its members' mean durations, ms. */
  latency: z.number().nullable(),
  moved: moment,
  /** The type they share, null when they do not. */
  type: z.string().nullable(),
  namespaces: z.array(z.string()),
});
const CheckLine = z.object({
  kind: z.literal("check"),
  /** The group it is drawn in, null for one of its own. */
  group: z.string().nullable(),
  id: z.string(),
  title: z.string(),
  canary: z.string(),
  type: z.string(),
  /** What its picture is called, when it is not its type. */
  icon: z.string().nullable(),
  namespace: z.string(),
  /** Null before its first run. */
  status: z.string().nullable(),
  moved: moment,
  /** Its last run. */
  ran: moment,
  passed: whole.nullable(),
  failed: whole.nullable(),
  /** The 95th percentile, ms. */
  latency: z.number().nullable(),
  /** Its last runs, oldest first: 1 passed, 0 failed, ? neither. */
  results: z.string(),
});

const Counts = z.object({ failing: whole, passing: whole, total: whole });

/** The checks of a group that have one value of the pivot's label. */
const PivotCell = z.object({
  column: z.string(),
  checks: whole,
  passing: whole,
  failing: whole,
  passed: whole,
  failed: whole,
  /** The mean of their mean durations, ms. */
  latency: z.number().nullable(),
  /** When it is one check: which, and its last results as in a line. */
  id: z.string().nullable(),
  results: z.string(),
});
const PivotRow = z.object({ key: z.string(), cells: z.array(PivotCell) });

export const CheckPage = z.object({
  /** Of all checks, whatever is filtered. `own`: is there any that is not the product watching itself? */
  counts: Counts,
  own: z.boolean(),
  /** Of those that the search and the labels leave, whatever else is hidden. */
  matched: Counts,
  /** All labels there are, by alphabet, each with its first values and how many it has. */
  labels: z.array(z.object({ key: z.string(), values: z.array(z.string()), total: whole })),
  /** Are the figures of the time range that was asked for? */
  ranged: z.boolean(),
  /** The values of the tabs with how many checks each has after the filters. */
  tabs: z.array(z.object({ value: z.string(), checks: whole, failing: whole })),
  /** Checks after the filters, in all tabs, and those of them that fail. */
  found: z.object({ checks: whole, failing: whole }),
  /**
   * Closed groups and checks of the tab: `limit` and `offset` are of these. `lines` is the page, with the line of each open
   * group before its checks, also where the page begins inside one.
   */
  total: whole,
  lines: z.array(z.discriminatedUnion("kind", [GroupLine, CheckLine])),
  /** Instead of `lines`: `limit`, `offset` and `total` are of its rows; `more` columns are left out. */
  pivot: z.object({ columns: z.array(z.string()), more: whole, rows: z.array(PivotRow) }).nullable(),
});
export type CheckPage = z.output<typeof CheckPage>;
export type CheckPivot = NonNullable<CheckPage["pivot"]>;
export type PivotCell = z.output<typeof PivotCell>;
export type GroupLine = z.output<typeof GroupLine>;
export type CheckLine = z.output<typeof CheckLine>;

const figure = z.number().nullish();
/** A check of the plain summary (backend §7.1): what the page needs of it. */
export const PlainSummary = z.object({
  checks_summary: z
    .array(
      z.object({
        id: z.string(),
        canary_name: z.string().catch(""),
        canary_namespace: z.string().catch(""),
        name: z.string().catch(""),
        namespace: z.string().catch(""),
        type: z.string().catch(""),
        icon: z.string().nullish(),
        status: z.string().catch(""),
        description: z.string().nullish(),
        labels: z.record(z.string(), z.coerce.string()).nullish(),
        latency: z.object({ p99: figure, p97: figure, p95: figure, rolling1h: figure }).nullish(),
        uptime: z.object({ passed: z.number().catch(0), failed: z.number().catch(0) }).nullish(),
        last_transition_time: z.string().nullish(),
        last_runtime: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type PlainCheck = NonNullable<z.output<typeof PlainSummary>["checks_summary"]>[number];
