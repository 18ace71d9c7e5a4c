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

/** How wide a point is, in milliseconds. */
function pointWidth({ start, end }: Range): number {
  const range = end.getTime() - start.getTime();
  if (range <= 2 * HOUR) return MINUTE;
  if (range <= DAY) return 15 * MINUTE;
  return range <= 7 * DAY ? HOUR : 4 * HOUR;
}

interface Needs {
  asCaller: AsCaller;
  pool: pg.Pool;
  principal: Principal;
}

/** Up to a day from the single runs; longer ranges from the sums of hours, which is some hundred rows whatever the check does. */
export async function checkGraph(
  { asCaller, pool, principal }: Needs,
  id: string,
  range: Range,
): Promise<Graph> {
  const seen = await asCaller(principal, async (client) => {
    const check = await client.query("select from public.checks where id = $1", [id]);
    if (check.rowCount === 0) return null;
    return range.end.getTime() - range.start.getTime() <= DAY ? fromRuns(client, id, range) : "hours";
  });
  if (seen === null) throw new ApiError(404, "There is no such check");
  return seen === "hours" ? fromHours(pool, id, range) : seen;
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
  mean: number | null;
}

async function fromRuns(client: pg.ClientBase, id: string, range: Range): Promise<Graph> {
  const points = await client.query<PointRow>(
    `select date_bin(make_interval(secs => $4), time + make_interval(secs => $4 / 2), 'epoch') as time,
       bool_and(coalesce(status, false)) as all_passed, coalesce(avg(duration), 0)::integer as duration,
       (count(*) filter (where status))::integer as passed, (count(*) filter (where not status))::integer as failed
     from public.check_statuses where check_id = $1 and time >= $2 and time <= $3
     group by 1 order by 1`,
    [id, range.start, range.end, pointWidth(range) / 1000],
  );
  const totals = await client.query<Totals>(
    `select (percentile_disc(array[0.99, 0.97, 0.95]) within group (order by duration))[1] as p99,
       (percentile_disc(array[0.99, 0.97, 0.95]) within group (order by duration))[2] as p97,
       (percentile_disc(array[0.99, 0.97, 0.95]) within group (order by duration))[3] as p95,
       avg(duration)::float8 as mean
     from public.check_statuses where check_id = $1 and time >= $2 and time <= $3`,
    [id, range.start, range.end],
  );
  return assemble(points.rows, totals.rows[0]);
}

async function fromHours(pool: pg.Pool, id: string, range: Range): Promise<Graph> {
  const within = `from internal.check_buckets
     where check_id = $1 and grain = 'h' and bucket >= date_trunc('hour', $2::timestamptz, 'UTC') and bucket <= $3`;
  const points = await pool.query<PointRow>(
    `select date_bin(make_interval(secs => $4), bucket, 'epoch') as time, sum(failed) = 0 as all_passed,
       (sum(duration_sum) / greatest(sum(total), 1))::integer as duration, sum(passed)::integer as passed,
       sum(failed)::integer as failed
     ${within} group by 1 order by 1`,
    [id, range.start, range.end, pointWidth(range) / 1000],
  );
  const totals = await pool.query<Totals>(
    `with summed as (
       select internal.sum_histograms(histogram) as histogram,
         (sum(duration_sum) / greatest(sum(total), 1))::float8 as mean ${within})
     select internal.histogram_percentile(histogram, 0.99)::float8 as p99,
       internal.histogram_percentile(histogram, 0.97)::float8 as p97,
       internal.histogram_percentile(histogram, 0.95)::float8 as p95, mean
     from summed`,
    [id, range.start, range.end],
  );
  return assemble(points.rows, totals.rows[0]);
}

function assemble(points: PointRow[], totals: Totals | undefined): Graph {
  const latency = Object.entries({ p99: totals?.p99, p97: totals?.p97, p95: totals?.p95 }).flatMap(
    ([name, value]) => (value === null || value === undefined ? [] : [[name, value]]),
  );
  return {
    status:
      points.length === 0
        ? null
        : points.map(({ time, all_passed, duration, passed, failed }) => ({
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
    uptime: {
      passed: points.reduce((sum, point) => sum + point.passed, 0),
      failed: points.reduce((sum, point) => sum + point.failed, 0),
    },
  };
}
