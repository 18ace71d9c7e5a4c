/** `GET /ph/checks/:id/transitions`: when a check turned in a range, and what it said then. Beyond the contract. */
import type pg from "pg";
import type { AsCaller } from "./caller.ts";
import type { Range } from "./canary-graph.ts";
import { ApiError } from "./errors.ts";
import type { Principal } from "./principal.ts";

/** A run after which the check was no longer what it had been. `from` is null for its first run; durations in ms. */
export interface Transition {
  time: Date;
  from: boolean | null;
  to: boolean;
  duration: number | null;
  message: string | null;
  error: string | null;
  /** Known from the sums of its hour only: single runs of that time are not kept. */
  approximate: boolean;
  /** When it turned again; null when it did not until the end of the range. */
  until: Date | null;
}
export interface Transitions {
  total: number;
  transitions: Transition[];
}
export interface Paging {
  limit: number;
  offset: number;
}

/** The longest page. */
const MOST = 200;

/** `limit` (50 unless said, at most 200) and `offset`. Throws ApiError 400. */
export function transitionPaging({ limit = "50", offset = "0" }: Record<string, string>): Paging {
  if (!/^\d{1,9}$/.test(limit) || Number(limit) < 1 || Number(limit) > MOST)
    throw new ApiError(400, `limit must be a number from 1 to ${MOST}`);
  if (!/^\d{1,9}$/.test(offset)) throw new ApiError(400, "offset must be a number from 0");
  return { limit: Number(limit), offset: Number(offset) };
}

/**
 * `$1` the check, `$2` and `$3` the range, `$4` and `$5` the page. An hour in which every run ended alike, as in the
 * hour before it, holds no turn: only the other hours' runs are read, so that a month of a quiet check costs its hours.
 * Where single runs are gone the hour itself speaks: failed when anything in it did. Runs without a result turn nothing.
 */
const TRANSITIONS = `
  with hours as (
    select bucket, failed = 0 as status,
      case when passed = total then 'p' when failed = total then 'f' else 'm' end as kind
    from internal.check_buckets
    where check_id = $1 and grain = 'h' and bucket >= date_trunc('hour', $2::timestamptz, 'UTC') and bucket <= $3
      and passed + failed > 0
  ), turning as (
    select bucket, status from (select *, lag(kind) over (order by bucket) as before from hours) as hours
    where kind = 'm' or kind is distinct from before
  ), first as (
    (select time, status from public.check_statuses
     where check_id = $1 and time < $2 and status is not null order by time desc limit 1)
    union all
    (select bucket, failed = 0 from internal.check_buckets
     where check_id = $1 and grain = 'h' and bucket < date_trunc('hour', $2::timestamptz, 'UTC') and passed + failed > 0
     order by bucket desc limit 1)
    order by time desc limit 1
  ), runs as (
    select time, status, null::integer as duration, null as message, null as error, true as approximate from first
    union all
    select run.*, false from turning cross join lateral (
      select time, status, duration, message, error from public.check_statuses
      where check_id = $1 and time >= greatest(bucket, $2) and time < bucket + interval '1 hour' and time <= $3
        and status is not null
      offset 0
    ) as run
    union all
    select bucket, status, null, null, null, true from turning
    where not exists (
      select from public.check_statuses where check_id = $1 and time >= bucket and time < bucket + interval '1 hour')
  ), turns as (
    select * from (select *, lag(status) over (order by time) as before from runs) as runs
    where time >= $2 and status is distinct from before
  )
  select time, before as "from", status as "to", duration, message, error, approximate,
    lead(time) over (order by time) as until, (count(*) over ())::integer as total
  from turns order by time desc limit $4 offset $5`;

interface Needs {
  asCaller: AsCaller;
  pool: pg.Pool;
  principal: Principal;
}

/** Newest first. Whether the caller sees the check is asked as the caller. Throws ApiError 404. */
export async function checkTransitions(
  { asCaller, pool, principal }: Needs,
  id: string,
  { start, end }: Range,
  { limit, offset }: Paging,
): Promise<Transitions> {
  const check = await asCaller(principal, (client) =>
    client.query({ name: "graph.check", text: "select from public.checks where id = $1", values: [id] }),
  );
  if (check.rowCount === 0) throw new ApiError(404, "There is no such check");
  const page = (from: number) =>
    pool.query<Transition & { total: number }>({
      name: "check.transitions",
      text: TRANSITIONS,
      values: [id, start, end, limit, from],
    });
  let { rows } = await page(offset);
  let total = rows[0]?.total ?? 0;
  if (rows.length === 0 && offset > 0) {
    total = (await page(0)).rows[0]?.total ?? 0; // behind the last page: how many there are is still an answer
    rows = [];
  }
  return { total, transitions: rows.map(({ total: _, ...turn }) => turn) };
}
