/** `GET /canary/api/graph` (backend §7.2): a check over time, in points, with its uptime and latency over the range. */
import type pg from "pg";
import type { AsCaller } from "./caller.ts";
import { ApiError } from "./errors.ts";
import type { Principal } from "./principal.ts";

export interface Range {
  start: Date;
  end: Date;
}
/** `status` is left out when anything in the point failed. Durations in milliseconds. */
interface GraphPoint {
  time: Date;
  status?: true;
  duration: number;
  passed?: number;
  failed?: number;
}
export interface Graph {
  status: GraphPoint[] | null;
  latency: { p99?: number; p97?: number; p95?: number; rolling1h: number };
  uptime: { passed: number; failed: number };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Months and years as the time ranges of the pages count them (specification 1 §9). */
const UNITS = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", MINUTE],
  ["h", HOUR],
  ["d", DAY],
  ["w", 7 * DAY],
  ["mo", 30 * DAY],
  ["y", 360 * DAY],
]);

/** `since` or `start`, `until` or `end`: durations back from now (1h, 3d, 2mo, 1h30m) or RFC3339. Throws ApiError 400. */
export function graphRange(query: Record<string, string>, now: Date): Range {
  const start = moment(query["since"] || query["start"] || "1h", now, query["since"] ? "since" : "start");
  const end = moment(query["until"] || query["end"] || "0s", now, query["until"] ? "until" : "end");
  if (end < start) throw new ApiError(400, "The end is before the start");
  return { start, end };
}

function moment(text: string, now: Date, name: string): Date {
  const wrong = new ApiError(400, `${name} must be a duration like 1h or a time like 2024-01-31T00:00:00Z`);
  if (/^(\d+(\.\d+)?(ms|mo|[smhdwy]))+$/.test(text)) {
    let back = 0;
    for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|mo|[smhdwy])/g))
      back += Number(amount) * (UNITS.get(unit ?? "") ?? 0);
    const time = new Date(now.getTime() - back);
    if (Number.isNaN(time.getTime())) throw wrong;
    return time;
  }
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : null;
  if (!time || Number.isNaN(time.getTime())) throw wrong;
  return time;
}

type Source = "minutes" | "hours" | "days";

/** How wide a point is, in milliseconds, and which sums it is made of. */
function pointsOf({ start, end }: Range): { width: number; source: Source } {
  // Pages begin with a whole minute and end now: two hours may be 59 seconds longer.
  const range = Math.floor((end.getTime() - start.getTime()) / MINUTE) * MINUTE;
  if (range <= 2 * HOUR) return { width: MINUTE, source: "minutes" };
  if (range <= DAY) return { width: 15 * MINUTE, source: "minutes" };
  if (range <= 7 * DAY) return { width: HOUR, source: "hours" };
  return range <= 90 * DAY ? { width: 4 * HOUR, source: "hours" } : { width: DAY, source: "days" };
}

interface Needs {
  asCaller: AsCaller;
  pool: pg.Pool;
  principal: Principal;
}

/** Whatever the range, some hundred sums at most: whether the caller sees the check is asked as the caller, at
 * the same time. Throws ApiError 404. */
export async function checkGraph(
  { asCaller, pool, principal }: Needs,
  id: string,
  range: Range,
): Promise<Graph> {
  const { width, source } = pointsOf(range);
  const [check, points, totals] = await Promise.all([
    asCaller(principal, (client) =>
      client.query({ name: "graph.check", text: "select from public.checks where id = $1", values: [id] }),
    ),
    pool.query<PointRow>({
      name: `graph.${source}`,
      text: POINTS[source],
      values: [id, range.start, range.end, width / 1000],
    }),
    pool.query<Totals>({
      name: "graph.totals",
      text: TOTALS,
      values: [id, range.start, range.end],
    }),
  ]);
  if (check.rowCount === 0) throw new ApiError(404, "There is no such check");
  return assemble(points.rows, totals.rows[0]);
}

interface PointRow {
  time: Date;
  all_passed: boolean;
  duration: number;
  passed: number;
  failed: number;
}
interface Totals {
  p99: number | null;
  p97: number | null;
  p95: number | null;
  mean: number;
  passed: number;
  failed: number;
}

/** `$1` the check, `$2` and `$3` the range, `$4` the width in seconds. */
const points = (time: string, from: string) => `
  select date_bin(make_interval(secs => $4::float8), ${time}, 'epoch') as time, sum(failed) = 0 as all_passed,
    (sum(duration_sum) / greatest(sum(total), 1))::integer as duration, sum(passed)::integer as passed,
    sum(failed)::integer as failed
  from (${from}) as parts group by 1 order by 1`;
const buckets = (grain: "h" | "d", unit: "hour" | "day") => `
  select bucket, total, passed, failed, duration_sum from internal.check_buckets
  where check_id = $1 and grain = '${grain}' and bucket >= date_trunc('${unit}', $2::timestamptz, 'UTC') and bucket <= $3`;

/** Minutes are kept for two days; the points of a short range before that are made of its runs. */
const POINTS: Record<Source, string> = {
  minutes: points(
    "bucket + make_interval(secs => $4::float8 / 2)",
    `select bucket, total, passed, failed, duration_sum from internal.check_minutes
     where check_id = $1 and bucket >= date_trunc('minute', $2::timestamptz) and bucket <= $3
       and $2 >= internal.first_check_minute()
     union all
     select date_trunc('minute', time), 1, (status is true)::integer, (status is false)::integer, coalesce(duration, 0)
     from public.check_statuses
     where check_id = $1 and time >= date_trunc('minute', $2::timestamptz) and time <= $3
       and $2 < internal.first_check_minute()`,
  ),
  hours: points("bucket", buckets("h", "hour")),
  days: points("bucket", buckets("d", "day")),
};
const TOTALS = `
  select internal.histogram_percentile(histogram, 0.99)::float8 as p99,
    internal.histogram_percentile(histogram, 0.97)::float8 as p97,
    internal.histogram_percentile(histogram, 0.95)::float8 as p95,
    duration_sum::float8 / total as mean, passed::integer as passed, failed::integer as failed
  from internal.sum_check_buckets(array[$1::uuid], $2, $3)`;

function assemble(rows: PointRow[], totals: Totals | undefined): Graph {
  const latency = Object.entries({ p99: totals?.p99, p97: totals?.p97, p95: totals?.p95 }).flatMap(
    ([name, value]) => (value === null || value === undefined ? [] : [[name, value]]),
  );
  return {
    status:
      rows.length === 0
        ? null
        : rows.map(({ time, all_passed, duration, passed, failed }) => ({
            time,
            ...(all_passed ? { status: true as const } : {}),
            duration,
            ...(passed > 0 ? { passed } : {}),
            ...(failed > 0 ? { failed } : {}),
          })),
    latency: {
      ...(Object.fromEntries(latency) as Omit<Graph["latency"], "rolling1h">),
      rolling1h: Math.round(totals?.mean ?? 0),
    },
    uptime: { passed: totals?.passed ?? 0, failed: totals?.failed ?? 0 },
  };
}
