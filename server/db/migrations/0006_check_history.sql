-- Check history: one row per run in weekly partitions, the sums of its hours and days, and each check's last hour.

create table public.check_statuses (
  check_id uuid not null,
  details jsonb,
  duration integer,
  error text,
  time timestamptz not null,
  created_at timestamptz not null default now(),
  invalid boolean,
  message text,
  status boolean,
  severity text,
  is_pushed boolean not null default false,
  constraint check_statuses_pkey primary key (check_id, time),
  constraint check_statuses_check_id_fkey foreign key (check_id) references internal.checks (id) on delete cascade
) partition by range (time);

-- Takes what no week claims, so that neither a late job nor an old row is ever refused.
create table internal.check_statuses_default partition of public.check_statuses default;

/* Makes the weeks (Monday, UTC) of check_statuses from the one before `at` to `ahead` after it. Rows that already fell
   into the default partition move. For the start and the housekeeping of the engines; safe to run side by side. */
create function internal.ensure_partitions(at timestamptz default now(), ahead interval default '15 days')
returns integer
language plpgsql
as $$
declare
  week timestamptz;
  partition_name text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(7072454002);
  for week in
    select generate_series(date_trunc('week', at, 'UTC') - interval '7 days', at + ahead, interval '7 days')
  loop
    partition_name := 'check_statuses_' || to_char(week at time zone 'UTC', 'IYYY"w"IW');
    continue when to_regclass('internal.' || partition_name) is not null;
    -- Made apart and attached, because that does not stop readers and writers of the other weeks.
    execute format('create table internal.%I (like public.check_statuses including defaults)', partition_name);
    execute format(
      'with moved as (
         delete from internal.check_statuses_default where time >= $1 and time < $2 returning *)
       insert into internal.%I select * from moved', partition_name) using week, week + interval '7 days';
    execute format('alter table public.check_statuses attach partition internal.%I for values from (%L) to (%L)',
      partition_name, week, week + interval '7 days');
    made := made + 1;
  end loop;
  return made;
end
$$;

/* Retention: drops the weeks that ended more than `days` ago and the old rows of the default partition. A week that is
   in use right now stays for the next time. Returns how many partitions went. */
create function internal.drop_old_partitions(days integer, at timestamptz default now())
returns integer
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
    where pg_inherits.inhparent = 'public.check_statuses'::regclass and child.relname ~ '^check_statuses_\d{4}w\d\d$'
      and to_date(substr(child.relname, 16), 'IYYY"w"IW') + 7 <= (at at time zone 'UTC')::date - days
    order by child.relname
  loop
    begin
      execute format('drop table internal.%I', partition_name);
      dropped := dropped + 1;
    exception when lock_not_available then
      continue;
    end;
  end loop;
  delete from internal.check_statuses_default where time < at - make_interval(days => days);
  return dropped;
end
$$;

select internal.ensure_partitions();

/* Sums of an hour (grain h) or a day (d), UTC, kept by a trigger. */
create table internal.check_buckets (
  check_id uuid not null constraint check_statuses_aggr_check_id_fkey references internal.checks (id) on delete cascade,
  grain "char" not null check (grain in ('h', 'd')),
  bucket timestamptz not null,
  total integer not null,
  passed integer not null,
  failed integer not null,
  duration_sum bigint not null,
  histogram integer[] not null,
  constraint check_buckets_pkey primary key (check_id, grain, bucket)
) with (fillfactor = 80);
create index check_buckets_age_idx on internal.check_buckets (grain, bucket);

/* Durations are counted on a logarithmic scale, so that a percentile of any range of hours and days is within 5 %:
   slot 0 is 0 ms, slot n > 0 is (1.1^(n-2), 1.1^(n-1)] ms. Arrays end at their last slot that is not empty. */
create function internal.histogram_slot(ms integer) returns integer
language sql immutable parallel safe
as $$
  select case when ms is null then null when ms <= 0 then 0
    else 1 + ceil(ln(ms::double precision) / ln(1.1::double precision) - 1e-9)::integer end
$$;

create function internal.histogram(durations integer[]) returns integer[]
language sql immutable parallel safe
as $$
  select array_agg(coalesce(counted.n, 0) order by slot)
  from generate_series(0, coalesce((select max(internal.histogram_slot(d)) from unnest(durations) as d), 0)) as slot
  left join (
    select internal.histogram_slot(d) as slot, count(*)::integer as n
    from unnest(durations) as d where d is not null group by 1
  ) as counted using (slot)
$$;

create function internal.add_histograms(a integer[], b integer[]) returns integer[]
language sql immutable parallel safe
as $$
  select array_agg(coalesce(x, 0) + coalesce(y, 0) order by i)
  from unnest(a, b) with ordinality as both_of(x, y, i)
$$;

create aggregate internal.sum_histograms(integer[]) (
  sfunc = internal.add_histograms, stype = integer[], initcond = '{}'
);

/* The duration in milliseconds that this fraction of the counted runs stayed at or under; NULL when there are none. */
create function internal.histogram_percentile(histogram integer[], fraction double precision) returns numeric
language sql immutable parallel safe
as $$
  select case when slot = 0 then 0 else round((2 * 1.1 ^ (slot - 1) / 2.1)::numeric, 1) end
  from (
    select i - 1 as slot, sum(n) over (order by i) as seen, sum(n) over () as total
    from unnest(histogram) with ordinality as slots(n, i)
  ) as summed
  where total > 0 and seen >= fraction * total
  order by slot limit 1
$$;

/* The hour that ends with a check's newest run, summed up when that run is recorded. */
create table internal.check_windows (
  check_id uuid not null references internal.checks (id) on delete cascade,
  oldest timestamptz not null,
  newest timestamptz not null,
  newest_status boolean,
  newest_duration integer,
  p99 integer,
  p97 integer,
  p95 integer,
  p50 integer,
  mean numeric,
  passed integer not null,
  failed integer not null,
  last_pass timestamptz,
  last_fail timestamptz,
  constraint check_windows_pkey primary key (check_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);

/* Whoever writes a run (engine, agent, API) moves the sums with it, one statement for all rows. */
create function internal.sum_up_check_statuses() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into internal.check_buckets as bucket
    (check_id, grain, bucket, total, passed, failed, duration_sum, histogram)
  select check_id, grain, date_trunc(unit, time, 'UTC'), count(*), count(*) filter (where status),
    count(*) filter (where not status), coalesce(sum(duration), 0), internal.histogram(array_agg(duration))
  from added, (values ('h'::"char", 'hour'), ('d'::"char", 'day')) as grains(grain, unit)
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict on constraint check_buckets_pkey do update set
    total = bucket.total + excluded.total,
    passed = bucket.passed + excluded.passed,
    failed = bucket.failed + excluded.failed,
    duration_sum = bucket.duration_sum + excluded.duration_sum,
    histogram = internal.add_histograms(bucket.histogram, excluded.histogram);

  insert into internal.check_windows as seen
    (check_id, oldest, newest, newest_status, newest_duration, p99, p97, p95, p50, mean, passed, failed, last_pass,
     last_fail)
  select checks.check_id, hour.oldest, newest.time, newest.status, newest.duration, hour.percentiles[1],
    hour.percentiles[2], hour.percentiles[3], hour.percentiles[4], hour.mean, hour.passed, hour.failed,
    hour.last_pass, hour.last_fail
  from (select distinct check_id from added) as checks
  cross join lateral (
    select time, status, duration from public.check_statuses
    where check_id = checks.check_id order by time desc limit 1
  ) as newest
  cross join lateral (
    select min(time) as oldest,
      percentile_disc(array[0.99, 0.97, 0.95, 0.5]) within group (order by duration) as percentiles,
      avg(duration) as mean, count(*) filter (where status) as passed, count(*) filter (where not status) as failed,
      max(time) filter (where status) as last_pass, max(time) filter (where not status) as last_fail
    from public.check_statuses
    where check_id = checks.check_id and time > newest.time - interval '1 hour' and time <= newest.time
  ) as hour
  order by checks.check_id
  on conflict on constraint check_windows_pkey do update set
    oldest = excluded.oldest, newest = excluded.newest, newest_status = excluded.newest_status,
    newest_duration = excluded.newest_duration, p99 = excluded.p99, p97 = excluded.p97, p95 = excluded.p95,
    p50 = excluded.p50, mean = excluded.mean, passed = excluded.passed, failed = excluded.failed,
    last_pass = excluded.last_pass, last_fail = excluded.last_fail;
  return null;
end
$$;
create trigger sum_up_check_statuses after insert on public.check_statuses referencing new table as added
  for each statement execute function internal.sum_up_check_statuses();

/* Retention of the sums: hours three times, days nine times as long as single runs. */
create function internal.delete_old_buckets(days integer, at timestamptz default now()) returns void
language sql
as $$
  delete from internal.check_buckets where grain = 'h' and bucket < at - make_interval(days => 3 * days);
  delete from internal.check_buckets where grain = 'd' and bucket < at - make_interval(days => 9 * days)
$$;

create view public.check_statuses_1h with (security_invoker = true) as
  select check_id, bucket as created_at, least(duration_sum, 2147483647)::integer as duration, total, passed, failed
  from internal.check_buckets where grain = 'h';

create view public.check_statuses_1d with (security_invoker = true) as
  select check_id, bucket as created_at, least(duration_sum, 2147483647)::integer as duration, total, passed, failed
  from internal.check_buckets where grain = 'd';

create view public.check_statuses_5m with (security_invoker = true) as
  select check_id, date_bin('5 minutes', time, '2000-01-01 00:00:00Z') as created_at, count(*) as total_checks,
    count(*) filter (where status) as passed, count(*) filter (where not status) as failed,
    sum(duration) as total_duration
  from public.check_statuses
  where time > now() - interval '1 day'
  group by 1, 2
  order by 2 desc;
