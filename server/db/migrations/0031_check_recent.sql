-- Sums of runs that are never stale (2 of 3): the last hour of each check, the trigger that moves all sums, the summary.

/* Percentiles and mean of a histogram, in milliseconds, as check_summary shows them; nulls when nothing was timed. A loop
   over the slots, because thousands of these are asked for at once. */
create function internal.latency_of(histogram numeric, duration_sum bigint, single integer) returns json
language plpgsql immutable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
declare
  counts integer[] := internal.unpack_histogram(histogram);
  n integer;
  slot integer := 0;
  total bigint := 0;
  seen bigint := 0;
  p50 integer;
  p95 integer;
  p97 integer;
  p99 integer;
begin
  if single is not null then
    return json_build_object('p99', single, 'p97', single, 'p95', single, 'p50', single, 'avg', single);
  end if;
  foreach n in array counts loop
    total := total + n;
  end loop;
  foreach n in array counts loop
    if n > 0 then
      seen := seen + n;
      if p50 is null and seen * 100 >= total * 50 then p50 := slot; end if;
      if p95 is null and seen * 100 >= total * 95 then p95 := slot; end if;
      if p97 is null and seen * 100 >= total * 97 then p97 := slot; end if;
      if seen * 100 >= total * 99 then
        p99 := slot;
        exit;
      end if;
    end if;
    slot := slot + 1;
  end loop;
  return json_build_object('p99', internal.histogram_value(p99), 'p97', internal.histogram_value(p97),
    'p95', internal.histogram_value(p95), 'p50', internal.histogram_value(p50),
    'avg', round(duration_sum::numeric / nullif(total, 0), 2));
end
$$;

/* The hour up to the minute of each check's newest run: every run since 60 minutes before `head`, added when it is
   written; what has slid out since then is taken off when it is read. One narrow row per check, nothing indexed but the
   key. Takes the place of check_windows, which read an hour of runs again at every run. */
create table internal.check_recent (
  check_id uuid not null references internal.checks (id) on delete cascade,
  -- The minute of the newest run, and never one that is still to come: a clock that is ahead must not stop the hour.
  head timestamptz not null,
  newest timestamptz not null,
  newest_status boolean,
  newest_duration integer,
  total integer not null,
  passed integer not null,
  failed integer not null,
  duration_sum bigint not null,
  histogram numeric not null,
  last_pass timestamptz,
  last_fail timestamptz,
  -- Worked out when a run is written, not when somebody looks: a page sorts thousands of checks by it.
  latency json generated always as (
    internal.latency_of(histogram, duration_sum,
      case when total = 1 and histogram > 0 then least(duration_sum, 2147483647)::integer end)
  ) stored,
  constraint check_recent_pkey primary key (check_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);

insert into internal.check_recent
select old.check_id, head, old.newest, old.newest_status, old.newest_duration, sums.*
from internal.check_windows as old
cross join lateral (select date_trunc('minute', least(old.newest, now())) as head) as heads
cross join lateral (
  select count(*), count(*) filter (where status), count(*) filter (where not status), coalesce(sum(duration), 0),
    coalesce(sum(internal.histogram_of(duration)), 0), max(time) filter (where status),
    max(time) filter (where not status)
  from public.check_statuses
  where check_id = old.check_id and time >= head - interval '60 minutes'
) as sums;

/* Whoever writes a run (engine, agent, API) moves the sums with it: three statements for all rows of a batch. The first
   locks the day of each check, so that whatever writes the same check beside us has written all its sums before ours. */
create function internal.sum_up_check_statuses() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into internal.check_buckets as bucket
    (check_id, grain, bucket, total, passed, failed, duration_sum, histogram)
  select check_id, grain, date_trunc(unit, time, 'UTC'), count(*), count(*) filter (where status),
    count(*) filter (where not status), coalesce(sum(duration), 0),
    coalesce(sum(internal.histogram_of(duration)), 0)
  from added, (values ('d'::"char", 'day'), ('h'::"char", 'hour')) as grains(grain, unit)
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict on constraint check_buckets_pkey do update set
    total = bucket.total + excluded.total,
    passed = bucket.passed + excluded.passed,
    failed = bucket.failed + excluded.failed,
    duration_sum = bucket.duration_sum + excluded.duration_sum,
    histogram = bucket.histogram + excluded.histogram;

  -- Before the minutes are added to: what slides out of the hour is what the minutes said when it was counted.
  insert into internal.check_recent as recent
  select fresh.check_id, fresh.head, fresh.newest, fresh.status, fresh.duration,
    fresh.total - coalesce(gone.total, 0), fresh.passed - coalesce(gone.passed, 0),
    fresh.failed - coalesce(gone.failed, 0), fresh.duration_sum - coalesce(gone.duration_sum, 0),
    fresh.histogram - coalesce(gone.histogram, 0), fresh.last_pass, fresh.last_fail
  from (
    select check_id, since, head, max(time) as newest, (array_agg(status order by time desc))[1] as status,
      (array_agg(duration order by time desc))[1] as duration,
      count(*) filter (where counts) as total, count(*) filter (where counts and status) as passed,
      count(*) filter (where counts and not status) as failed,
      coalesce(sum(duration) filter (where counts), 0) as duration_sum,
      coalesce(sum(internal.histogram_of(duration)) filter (where counts), 0) as histogram,
      max(time) filter (where status) as last_pass, max(time) filter (where not status) as last_fail
    from (
      select runs.*, time >= head - interval '60 minutes' as counts
      from (
        select added.check_id, time, status, duration, before.head - interval '60 minutes' as since,
          greatest(before.head,
            date_trunc('minute', least(max(time) over (partition by added.check_id), now()))) as head
        from added left join internal.check_recent as before using (check_id)
      ) as runs
    ) as runs
    group by check_id, since, head
  ) as fresh
  left join lateral (
    select sum(total) as total, sum(passed) as passed, sum(failed) as failed, sum(duration_sum) as duration_sum,
      sum(histogram) as histogram
    from internal.check_minutes
    where check_id = fresh.check_id and bucket >= fresh.since and bucket < fresh.head - interval '60 minutes'
      and fresh.head - interval '120 minutes' <= fresh.since
  ) as gone on true
  order by fresh.check_id
  on conflict on constraint check_recent_pkey do update set
    head = excluded.head,
    newest = greatest(recent.newest, excluded.newest),
    newest_status = case when excluded.newest >= recent.newest then excluded.newest_status
                         else recent.newest_status end,
    newest_duration = case when excluded.newest >= recent.newest then excluded.newest_duration
                           else recent.newest_duration end,
    total = case when excluded.head - interval '60 minutes' > recent.head then 0 else recent.total end + excluded.total,
    passed = case when excluded.head - interval '60 minutes' > recent.head then 0 else recent.passed end
      + excluded.passed,
    failed = case when excluded.head - interval '60 minutes' > recent.head then 0 else recent.failed end
      + excluded.failed,
    duration_sum = case when excluded.head - interval '60 minutes' > recent.head then 0 else recent.duration_sum end
      + excluded.duration_sum,
    histogram = case when excluded.head - interval '60 minutes' > recent.head then 0 else recent.histogram end
      + excluded.histogram,
    last_pass = greatest(recent.last_pass, excluded.last_pass),
    last_fail = greatest(recent.last_fail, excluded.last_fail);

  insert into internal.check_minutes as minute
    (check_id, bucket, total, passed, failed, duration_sum, histogram)
  select check_id, date_trunc('minute', time), count(*), count(*) filter (where status),
    count(*) filter (where not status), coalesce(sum(duration), 0),
    coalesce(sum(internal.histogram_of(duration)), 0)
  from added
  where time >= internal.first_check_minute()
  group by 1, 2
  order by 1, 2
  on conflict on constraint check_minutes_pkey do update set
    total = minute.total + excluded.total,
    passed = minute.passed + excluded.passed,
    failed = minute.failed + excluded.failed,
    duration_sum = minute.duration_sum + excluded.duration_sum,
    histogram = minute.histogram + excluded.histogram;
  return null;
end
$$;
create trigger sum_up_check_statuses after insert on public.check_statuses referencing new table as added
  for each statement execute function internal.sum_up_check_statuses();

/* The last hour of each check, to the minute, at any moment: what check_recent counted less the minutes that have slid
   out since its newest run, one or two rows as a rule. A check that did not run for an hour shows its newest run.
   `single` is the duration when only one run counts; `kept_latency` is that of the hour up to the newest run, when nothing
   of it has slid out or that run is at most five minutes old. */
create view internal.check_last_hour as
  select recent.check_id, is_old,
    case when is_old then 1 else recent.total - coalesce(gone.total, 0) end::integer as total,
    case when is_old then (recent.newest_status is true)::integer
      else recent.passed - coalesce(gone.passed, 0) end::integer as passed,
    case when is_old then (recent.newest_status is false)::integer
      else recent.failed - coalesce(gone.failed, 0) end::integer as failed,
    (recent.duration_sum - coalesce(gone.duration_sum, 0))::bigint as duration_sum,
    case when not is_old then recent.histogram - coalesce(gone.histogram, 0) end as histogram,
    case when is_old then recent.newest_duration
      when recent.total - coalesce(gone.total, 0) = 1 and recent.histogram > coalesce(gone.histogram, 0)
        then recent.duration_sum - coalesce(gone.duration_sum, 0)
    end::integer as single,
    case when recent.last_pass >= least(hour.since, recent.newest) then recent.last_pass end as last_pass,
    case when recent.last_fail >= least(hour.since, recent.newest) then recent.last_fail end as last_fail,
    case when not is_old and (gone.total is null or recent.head >= hour.since + interval '55 minutes')
      then recent.latency end as kept_latency
  from internal.check_recent as recent
  cross join lateral (select date_trunc('minute', now()) - interval '60 minutes' as since) as hour
  cross join lateral (select recent.newest < hour.since as is_old) as age
  left join lateral (
    select sum(total) as total, sum(passed) as passed, sum(failed) as failed, sum(duration_sum) as duration_sum,
      sum(histogram) as histogram
    from internal.check_minutes
    where check_id = recent.check_id and bucket >= recent.head - interval '60 minutes' and bucket < hour.since
      and not is_old
  ) as gone on true;

create or replace view public.check_summary with (security_invoker = true) as
  select checks.id, checks.canary_id,
    json_build_object('passed', hour.passed, 'failed', hour.failed, 'last_pass', hour.last_pass,
      'last_fail', hour.last_fail) as uptime,
    coalesce(hour.kept_latency, internal.latency_of(hour.histogram, hour.duration_sum, hour.single)) as latency,
    checks.last_transition_time, checks.type, checks.icon, checks.name, checks.status, checks.description,
    checks.namespace, canaries.namespace as canary_namespace, canaries.name as canary_name,
    coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}') as labels,
    checks.severity, checks.owner, checks.last_runtime, checks.created_at, checks.updated_at, checks.deleted_at,
    checks.silenced_at
  from public.checks
  join public.canaries on canaries.id = checks.canary_id
  left join internal.check_last_hour as hour on hour.check_id = checks.id;
drop table internal.check_windows;
