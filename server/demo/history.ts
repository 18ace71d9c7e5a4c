/** Thirty days of the demo's past, made by the database: single runs of the last day, sums of hours and days before. */
import type pg from "pg";
import { chapterOf, SEED, type Story } from "./stories.ts";

/** A check that is to get a past. */
export interface Remembered {
  id: string;
  /** What its numbers depend on, so that they are the same whatever its id is. */
  name: string;
  ms: number;
  story: Story;
  everySeconds: number;
  /** The last run, when it is not just now: an agent that has gone silent, in milliseconds ago. */
  silentSince?: number;
}

const DAYS = 30;
/** Single runs reach back this far: a day, and what the edges of a day need. */
const SINGLE_HOURS = 26;
const COLUMNS = `id uuid, name text, ms integer, every integer, error text, share double precision, until timestamptz,
  fails_from timestamptz, fails_until timestamptz`;

/** Writes runs, sums and the present state of checks that have none yet. In the caller's transaction. */
export async function writeHistory(client: pg.ClientBase, checks: Remembered[], now: Date): Promise<void> {
  const rows = checks.map(({ story, everySeconds, silentSince = 0, ...check }) => ({
    ...check,
    every: everySeconds,
    error: chapterOf(story).error,
    share: chapterOf(story).share,
    until: ago(now, silentSince),
    fails_from: ago(now, chapterOf(story).failsFrom),
    fails_until: ago(now, chapterOf(story).failsUntil),
  }));
  await client.query(`create temporary table demo_checks (${COLUMNS}) on commit drop`);
  await client.query(
    `insert into demo_checks select * from json_to_recordset($1::json) as checks (${COLUMNS})`,
    [JSON.stringify(rows)],
  );
  const single = new Date(now);
  single.setUTCHours(single.getUTCHours() - SINGLE_HOURS, 0, 0, 0);
  await client.query(SINGLE_RUNS, [single]);
  await client.query(PATTERNS);
  await client.query(HOURS, [single, DAYS]);
  await client.query(DAYS_FROM_HOURS);
  await client.query(STATE);
}

const ago = (now: Date, ms: number | null) => (ms === null ? null : new Date(now.getTime() - ms));

/** A number from 0 to 1 that depends on the seed and this text. */
const noise = (text: string) => `((hashtextextended(${text}, ${SEED}) & 1048575) / 1048576.0)`;
const seconds = (at: string) => `floor(extract(epoch from ${at}))::bigint`;
/** Milliseconds of one run: around the usual, more in office hours, now and then much more. */
const duration = (
  at: string,
) => `greatest(1, (c.ms * (0.75 + 0.5 * ${noise(`c.name || 'd' || ${seconds(at)}`)})
  * (1 + 0.25 * greatest(0, sin((extract(hour from ${at} at time zone 'UTC') - 6)::double precision / 12 * pi())))
  * case when ${noise(`c.name || 's' || ${seconds(at)}`)} < 0.004 then 4 else 1 end))::integer`;
/** Does a run at this instant fail? What flaps does so for minutes at a time. */
const fails = (at: string) => `coalesce(${at} >= c.fails_from and ${at} < c.fails_until
  and ${noise(`c.name || 'f' || ${seconds(at)} / 420`)} < c.share, false)`;

/** Through the table, so that its triggers keep every sum of these runs; a silent agent's are those of its last day. */
const SINGLE_RUNS = `
insert into public.check_statuses (check_id, time, status, duration, error, message)
select c.id, run.at, not run.failed, case when run.failed and c.error like 'unexpected%' then 5 else ${duration("run.at")} end,
  case when run.failed then c.error end, ''
from demo_checks as c
cross join lateral (
  select at, ${fails("at")} as failed
  from generate_series(
    least($1::timestamptz, c.until - interval '1 day') + c.every * ${noise("c.name")} * interval '1 second',
    c.until - interval '1 second', c.every * interval '1 second') as at
) as run`;

/** Eight patterns of an hour per check, so that no run of the hours before has to be made up one by one. */
const PATTERNS = `
create temporary table demo_patterns on commit drop as
select c.id, pattern, sum(internal.histogram_of(took)) as histogram, sum(took) as duration_sum, count(*)::integer as total
from demo_checks as c, generate_series(0, 7) as pattern, generate_series(1, 3600 / c.every) as n,
  lateral (select timestamptz '2026-01-01 00:00Z' + pattern * interval '3 hours' + n * interval '1 minute' as at) as run,
  lateral (select ${duration("run.at")} as took) as measured
group by 1, 2`;

const HOURS = `
insert into internal.check_buckets (check_id, grain, bucket, total, passed, failed, duration_sum, histogram)
select c.id, 'h', hour, p.total, p.total - failed, failed, p.duration_sum, p.histogram
from demo_checks as c
cross join generate_series($1::timestamptz - $2::integer * interval '1 day',
  least($1::timestamptz, c.until) - interval '1 hour', interval '1 hour') as hour
join demo_patterns as p on p.id = c.id and p.pattern = floor(extract(hour from hour at time zone 'UTC') / 3)
cross join lateral (
  select case when c.fails_from is null or hour + interval '1 hour' < c.fails_from or hour > c.fails_until then 0 else (
    select count(*) from generate_series(0, 59, greatest(1, c.every / 60)) as minute
    where ${fails("(hour + minute * interval '1 minute')")})::integer end as counted
) as failures
cross join lateral (select least(failures.counted, p.total) as failed) as outcome
where not exists (select from internal.check_buckets as known
  where known.check_id = c.id and known.grain = 'h' and known.bucket = hour)`;

const DAYS_FROM_HOURS = `
insert into internal.check_buckets (check_id, grain, bucket, total, passed, failed, duration_sum, histogram)
select b.check_id, 'd', date_trunc('day', b.bucket, 'UTC'), sum(total), sum(passed), sum(failed), sum(duration_sum),
  sum(histogram)
from internal.check_buckets as b join demo_checks as c on c.id = b.check_id
where b.grain = 'h'
group by 1, 3
on conflict on constraint check_buckets_pkey do update set total = excluded.total, passed = excluded.passed,
  failed = excluded.failed, duration_sum = excluded.duration_sum, histogram = excluded.histogram`;

/** As if the last run had just been recorded; nothing is to be told to anybody about the past. */
const STATE = `
with newest as (
  select distinct on (s.check_id) s.check_id, s.time, s.status
  from public.check_statuses as s join demo_checks as c on c.id = s.check_id
  order by s.check_id, s.time desc
), turned as (
  select n.check_id, max(s.time) as time
  from newest as n left join public.check_statuses as s on s.check_id = n.check_id and s.status <> n.status
  group by 1
), told as (
  update internal.check_state as state
  set status = case when n.status then 'healthy' else 'unhealthy' end, last_runtime = n.time,
    last_transition_time = case
      when not n.status then greatest(c.fails_from, turned.time)
      else coalesce(turned.time, case when c.fails_until < n.time then c.fails_until end,
        n.time - interval '29 days') end
  from newest as n join turned using (check_id) join demo_checks as c on c.id = n.check_id
  where state.check_id = n.check_id
)
select 1`;
