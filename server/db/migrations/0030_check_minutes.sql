-- Sums of runs that are never stale (1 of 3): minutes beside hours and days, and histograms that are numbers which
-- PostgreSQL adds natively (docs/decisions/0035 and 0036).

/* A histogram is one number with ten decimal digits per slot: adding numbers adds histograms, slot by slot, at the speed
   of sum(). A run is 1 in the digits of its slot; ten digits hold 300 years of a run a second. */
create function internal.histogram_of(ms integer) returns numeric
language sql immutable parallel safe
as $$ select ('1e' || 10 * internal.histogram_slot(ms))::numeric $$;

/* The counts of the slots, from slot 0 to the last that is not empty; `{}` of nothing. Bytes, because a character of a text
   is found by counting all those before it. Never fails: a difference that has a slot below nothing is nonsense, but is worked
   out for rows that are proposed and merged with those that are there. */
create function internal.unpack_histogram(packed numeric) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
  digits bytea := convert_to(lpad(packed::text, (length(packed::text) + 9) / 10 * 10, '0'), 'UTF8');
  place integer := length(digits) - 9;
  counts integer[] := '{}';
begin
  while place > 0 and packed > 0 loop
    counts := counts || least(convert_from(substring(digits, place, 10), 'SQL_ASCII')::bigint, 2147483647)::integer;
    place := place - 10;
  end loop;
  return counts;
end
$$;

/* What a slot stands for, in milliseconds. Durations are whole: the middle of its first and its last one, so that a slot
   which holds one is exact, and others are at most 5 % off. */
create function internal.histogram_value(slot integer) returns numeric
language sql immutable parallel safe
as $$
  select case when slot > 0 then round((2 * (floor(1.1::float8 ^ (slot - 2) + 1e-6) + 1) * floor(1.1::float8 ^ (slot - 1) + 1e-6)
    / (floor(1.1::float8 ^ (slot - 2) + 1e-6) + 1 + floor(1.1::float8 ^ (slot - 1) + 1e-6)))::numeric, 1) else slot::numeric end
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
