-- Sums of runs that are never stale (3 of 3): any range of many checks.

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
   For the owner's connection, as check_hour. `offset 0` makes each range one look into an index, whatever the planner thinks. */
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
      select bucket.* from unnest(grains, bucket_lows, bucket_highs) as range (grain, low, high)
      cross join lateral (
        select total, passed, failed, duration_sum, histogram from internal.check_buckets
        where check_id = wanted.check_id and grain = range.grain and bucket >= range.low and bucket < range.high
        offset 0
      ) as bucket
      union all
      select sign * total, sign * passed, sign * failed, sign * duration_sum, sign * histogram
      from unnest(signs, minute_lows, minute_highs) as range (sign, low, high)
      cross join lateral (
        select total, passed, failed, duration_sum, histogram from internal.check_minutes
        where check_id = wanted.check_id and bucket >= range.low and bucket < range.high
        offset 0
      ) as minute
      union all
      select 1, (status is true)::integer, (status is false)::integer, coalesce(duration, 0),
        coalesce(internal.histogram_of(duration), 0)
      from unnest(run_lows, run_highs) as range (low, high)
      cross join lateral (
        select status, duration from public.check_statuses
        where check_id = wanted.check_id and time >= range.low and time < range.high
        offset 0
      ) as run
    ) as part
    group by wanted.check_id
  ) as summed
  where summed.total > 0;
end
$$;
