-- Sums of runs that are never stale: minutes, hours and days of each check, and its last hour, all moved by the statement
-- that writes the runs. Histograms become numbers that PostgreSQL adds natively (docs/decisions/0035 and 0036).

/* A histogram is one number with ten decimal digits per slot: adding numbers adds histograms, slot by slot, at the speed
   of sum(). A run is 1 in the digits of its slot; ten digits hold 300 years of a run a second. */
create function internal.histogram_of(ms integer) returns numeric
language sql immutable parallel safe
as $$ select ('1e' || 10 * internal.histogram_slot(ms))::numeric $$;

/* The counts of the slots, from slot 0 to the last that is not empty; `{}` of nothing. */
create function internal.unpack_histogram(packed numeric) returns integer[]
language sql immutable parallel safe
as $$
  select coalesce(array_agg(substr(digits, length(digits) - 10 * slot - 9, 10)::integer order by slot), '{}')
  from (select lpad(packed::text, (length(packed::text) + 9) / 10 * 10, '0') as digits where packed > 0) as text
  cross join lateral generate_series(0, length(digits) / 10 - 1) as slot
$$;

/* What a slot stands for, in milliseconds. Durations are whole: a slot that holds one is exact, others lie between their
   first and last one, at most 5 % from both. */
create function internal.histogram_value(slot integer) returns numeric
language sql immutable parallel safe
as $$
  select case when slot <= 0 then 0 when first > last then round((2 * 1.1 ^ (slot - 1) / 2.1)::numeric, 1)
    else round(2.0 * first * last / (first + last), 1) end
  from (select floor(1.1 ^ (slot - 2) + 1e-6)::bigint + 1 as first, floor(1.1 ^ (slot - 1) + 1e-6)::bigint as last) as whole
$$;

create or replace function internal.histogram_percentile(histogram integer[], fraction double precision) returns numeric
language sql immutable parallel safe
as $$
  select internal.histogram_value(slot)
  from (
    select i::integer - 1 as slot, sum(n) over (order by i) as seen, sum(n) over () as total
    from unnest(histogram) with ordinality as slots(n, i)
  ) as summed
  where total > 0 and seen >= fraction * total
  order by slot limit 1
$$;

drop trigger sum_up_check_statuses on public.check_statuses;
drop function internal.sum_up_check_statuses();

alter table internal.check_buckets alter column histogram drop not null;
alter table internal.check_buckets add column packed numeric;
update internal.check_buckets set packed = (
  select coalesce(sum(n * ('1e' || 10 * (i - 1))::numeric), 0) from unnest(histogram) with ordinality as slots(n, i));
alter table internal.check_buckets drop column histogram;
alter table internal.check_buckets rename column packed to histogram;
alter table internal.check_buckets alter column histogram set not null;
alter table internal.check_buckets set (fillfactor = 60);
drop aggregate internal.sum_histograms(integer[]);
drop function internal.add_histograms(integer[], integer[]);
drop function internal.histogram(integer[]);

/* Sums of minutes, in daily partitions that are dropped after two days. No foreign key: rows of a check that is deleted
   go with their day, and writing one costs no look at the check. */
create table internal.check_minutes (
  check_id uuid not null,
  bucket timestamptz not null,
  total integer not null,
  passed integer not null,
  failed integer not null,
  duration_sum bigint not null,
  histogram numeric not null,
  constraint check_minutes_pkey primary key (check_id, bucket)
) partition by range (bucket);
create table internal.check_minutes_default partition of internal.check_minutes default;

/* From when on minutes are complete; before that the edges of a range are read from the single runs. */
create function internal.first_check_minute(at timestamptz default now()) returns timestamptz
language sql stable parallel safe
as $$ select date_trunc('day', at, 'UTC') - interval '2 days' $$;

/* Makes the days (UTC) of check_minutes from the first that is kept to two after `at`. Safe to run side by side. */
create function internal.ensure_check_minutes(at timestamptz default now()) returns integer
language plpgsql
as $$
declare
  day timestamptz;
  partition_name text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(7072454002);
  for day in select generate_series(internal.first_check_minute(at), at + interval '2 days', interval '1 day') loop
    partition_name := 'check_minutes_' || to_char(day at time zone 'UTC', 'YYYYMMDD');
    continue when to_regclass('internal.' || partition_name) is not null;
    execute format('create table internal.%I (like internal.check_minutes including defaults)
      with (fillfactor = 60, autovacuum_vacuum_insert_threshold = 1000000)', partition_name);
    execute format(
      'with moved as (
         delete from internal.check_minutes_default where bucket >= $1 and bucket < $2 returning *)
       insert into internal.%I select * from moved', partition_name) using day, day + interval '1 day';
    execute format('alter table internal.check_minutes attach partition internal.%I for values from (%L) to (%L)',
      partition_name, day, day + interval '1 day');
    made := made + 1;
  end loop;
  return made;
end
$$;

create function internal.drop_old_check_minutes(at timestamptz default now()) returns integer
language plpgsql set lock_timeout = '2s'
as $$
declare
  partition_name name;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7072454002);
  for partition_name in
    select child.relname
    from pg_inherits
    join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = 'internal.check_minutes'::regclass and child.relname ~ '^check_minutes_\d{8}$'
      and to_date(substr(child.relname, 15), 'YYYYMMDD') < (internal.first_check_minute(at) at time zone 'UTC')::date
    order by child.relname
  loop
    begin
      execute format('drop table internal.%I', partition_name);
      dropped := dropped + 1;
    exception when lock_not_available then
      continue;
    end;
  end loop;
  delete from internal.check_minutes_default where bucket < internal.first_check_minute(at);
  return dropped;
end
$$;

/* The jobs that look after the runs look after the minutes too. */
alter function internal.ensure_partitions(timestamptz, interval) rename to ensure_check_weeks;
create function internal.ensure_partitions(at timestamptz default now(), ahead interval default '15 days')
returns integer
language plpgsql
as $$
begin
  perform internal.ensure_check_minutes();
  return internal.ensure_check_weeks(at, ahead);
end
$$;

create or replace function internal.delete_old_buckets(days integer, at timestamptz default now()) returns void
language sql
as $$
  delete from internal.check_buckets where grain = 'h' and bucket < at - make_interval(days => 3 * days);
  delete from internal.check_buckets where grain = 'd' and bucket < at - make_interval(days => 9 * days);
  select internal.drop_old_check_minutes()
$$;

select internal.ensure_check_minutes();
insert into internal.check_minutes (check_id, bucket, total, passed, failed, duration_sum, histogram)
select check_id, date_trunc('minute', time), count(*), count(*) filter (where status), count(*) filter (where not status),
  coalesce(sum(duration), 0), coalesce(sum(internal.histogram_of(duration)), 0)
from public.check_statuses
where time >= internal.first_check_minute()
group by 1, 2;

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
   `single` is the duration when only one run counts. */
create view internal.check_last_hour as
  select recent.check_id, is_old,
    case when is_old then 1 else recent.total - coalesce(gone.total, 0) end::integer as total,
    case when is_old then (recent.newest_status is true)::integer
      else recent.passed - coalesce(gone.passed, 0) end::integer as passed,
    case when is_old then (recent.newest_status is false)::integer
      else recent.failed - coalesce(gone.failed, 0) end::integer as failed,
    (recent.duration_sum - coalesce(gone.duration_sum, 0))::bigint as duration_sum,
    recent.histogram - coalesce(gone.histogram, 0) as histogram,
    case when is_old then recent.newest_duration
      when recent.total - coalesce(gone.total, 0) = 1 and recent.histogram > coalesce(gone.histogram, 0)
        then recent.duration_sum - coalesce(gone.duration_sum, 0)
    end::integer as single,
    case when recent.last_pass >= least(hour.since, recent.newest) then recent.last_pass end as last_pass,
    case when recent.last_fail >= least(hour.since, recent.newest) then recent.last_fail end as last_fail
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

/* Percentiles and mean of a histogram, in milliseconds, as check_summary shows them; nulls when nothing was timed. */
create function internal.latency_of(histogram numeric, duration_sum bigint, single integer) returns json
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
  select case when single is not null
    then json_build_object('p99', single, 'p97', single, 'p95', single, 'p50', single, 'avg', single)
    else (
      select json_build_object(
        'p99', internal.histogram_value(min(slot) filter (where seen >= 0.99 * total)),
        'p97', internal.histogram_value(min(slot) filter (where seen >= 0.97 * total)),
        'p95', internal.histogram_value(min(slot) filter (where seen >= 0.95 * total)),
        'p50', internal.histogram_value(min(slot) filter (where seen >= 0.5 * total)),
        'avg', round(duration_sum::numeric / max(total), 2))
      from (
        select i::integer - 1 as slot, sum(n) over (order by i) as seen, sum(n) over () as total
        from unnest(internal.unpack_histogram(histogram)) with ordinality as slots(n, i)
      ) as slots)
    end
$$;

create or replace view public.check_summary with (security_invoker = true) as
  select checks.id, checks.canary_id,
    json_build_object('passed', hour.passed, 'failed', hour.failed, 'last_pass', hour.last_pass,
      'last_fail', hour.last_fail) as uptime,
    internal.latency_of(hour.histogram, hour.duration_sum, hour.single) as latency,
    checks.last_transition_time, checks.type, checks.icon, checks.name, checks.status, checks.description,
    checks.namespace, canaries.namespace as canary_namespace, canaries.name as canary_name,
    coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}') as labels,
    checks.severity, checks.owner, checks.last_runtime, checks.created_at, checks.updated_at, checks.deleted_at,
    checks.silenced_at
  from public.checks
  join public.canaries on canaries.id = checks.canary_id
  left join internal.check_last_hour as hour on hour.check_id = checks.id;
drop table internal.check_windows;

/* SEAM. Passed and failed runs of the last hour (to the minute) of many checks at once, without histograms: thousands in
   a few milliseconds. The same numbers as check_summary.uptime: a check that did not run for an hour shows its newest run,
   one that never ran has no row. Like all of this schema it is for the owner's connection: roles of the API cannot name
   it, so ask first, as the caller, which checks the caller may see. */
create function internal.check_hour(ids uuid[]) returns table (check_id uuid, passed integer, failed integer)
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
  select hour.check_id, hour.passed, hour.failed
  from internal.check_last_hour as hour where hour.check_id = any (ids)
$$;

/* SEAM. Sums of each check's runs from `since` to `until`, one row for each check that ran. Both ends count by the minute:
   `since` from the start of its minute, `until` to the end of its minute (exactly there when it is a whole one); an end
   that is not past counts everything up to now. Days are UTC, and as few rows are read as the range allows: days and
   hours within it, at its ends minutes, or the hour less the minutes outside. Ends older than two days are read from the
   single runs instead of minutes, at most an hour of them each, and where those are gone only whole hours count (where
   hours are gone, whole days). `duration_sum` is milliseconds, `histogram` is for internal.histogram_percentile.
   For the owner's connection, as check_hour. */
create function internal.sum_check_buckets(ids uuid[], since timestamptz, until timestamptz)
returns table (check_id uuid, total bigint, passed bigint, failed bigint, duration_sum bigint, histogram integer[])
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  an_hour constant interval := '1 hour';
  half constant interval := '30 minutes';
  low timestamptz := date_trunc('minute', since);
  high timestamptz := case when until >= now() then date_trunc('day', now(), 'UTC') + interval '1 day'
    else date_trunc('minute', until + interval '59.999999 s') end;
  -- The whole hours of the range, and the whole days among them.
  hour_low timestamptz := date_trunc('hour', low + interval '59 minutes', 'UTC');
  hour_high timestamptz := date_trunc('hour', high, 'UTC');
  day_low timestamptz := date_trunc('day', hour_low + interval '23 hours', 'UTC');
  day_high timestamptz := date_trunc('day', hour_high, 'UTC');
  oldest_minute timestamptz := internal.first_check_minute();
  end_low timestamptz;
  end_high timestamptz;
  of_hour timestamptz;
  -- Ranges to add (sign 1) and to take off (-1): buckets by grain, minutes, single runs.
  grains "char"[] := '{}';
  bucket_lows timestamptz[] := '{}';
  bucket_highs timestamptz[] := '{}';
  signs integer[] := '{}';
  minute_lows timestamptz[] := '{}';
  minute_highs timestamptz[] := '{}';
  run_lows timestamptz[] := '{}';
  run_highs timestamptz[] := '{}';
begin
  if day_low < day_high then
    grains := '{h,d,h}';
    bucket_lows := array[hour_low, day_low, day_high];
    bucket_highs := array[day_low, day_high, hour_high];
  elsif hour_low < hour_high then
    grains := '{h}';
    bucket_lows := array[hour_low];
    bucket_highs := array[hour_high];
  end if;
  for end_low, end_high in
    select ends.low, ends.high
    from (values (low, least(hour_low, high)), (greatest(hour_high, hour_low), high)) as ends (low, high)
    where ends.low < ends.high
  loop
    of_hour := date_trunc('hour', end_low, 'UTC');
    if end_low < oldest_minute then
      run_lows := run_lows || end_low;
      run_highs := run_highs || end_high;
    elsif end_high - end_low <= half then
      signs := signs || 1;
      minute_lows := minute_lows || end_low;
      minute_highs := minute_highs || end_high;
    else
      grains := grains || 'h'::"char";
      bucket_lows := bucket_lows || of_hour;
      bucket_highs := bucket_highs || of_hour + an_hour;
      signs := signs || array[-1, -1];
      minute_lows := minute_lows || array[of_hour, end_high];
      minute_highs := minute_highs || array[end_low, of_hour + an_hour];
    end if;
  end loop;

  return query
  select summed.check_id, summed.total::bigint, summed.passed::bigint, summed.failed::bigint,
    summed.duration_sum::bigint, internal.unpack_histogram(summed.histogram)
  from (
    select wanted.check_id, sum(part.total) as total, sum(part.passed) as passed, sum(part.failed) as failed,
      sum(part.duration_sum) as duration_sum, sum(part.histogram) as histogram
    from (select distinct unnest(ids) as check_id) as wanted
    cross join lateral (
      select bucket.total, bucket.passed, bucket.failed, bucket.duration_sum, bucket.histogram
      from unnest(grains, bucket_lows, bucket_highs) as range (grain, low, high)
      join internal.check_buckets as bucket on bucket.check_id = wanted.check_id and bucket.grain = range.grain
        and bucket.bucket >= range.low and bucket.bucket < range.high
      union all
      select sign * minute.total, sign * minute.passed, sign * minute.failed, sign * minute.duration_sum,
        sign * minute.histogram
      from unnest(signs, minute_lows, minute_highs) as range (sign, low, high)
      join internal.check_minutes as minute on minute.check_id = wanted.check_id
        and minute.bucket >= range.low and minute.bucket < range.high
      union all
      select 1, (run.status is true)::integer, (run.status is false)::integer, coalesce(run.duration, 0),
        coalesce(internal.histogram_of(run.duration), 0)
      from unnest(run_lows, run_highs) as range (low, high)
      join public.check_statuses as run on run.check_id = wanted.check_id
        and run.time >= range.low and run.time < range.high
    ) as part
    group by wanted.check_id
  ) as summed
  where summed.total > 0;
end
$$;
