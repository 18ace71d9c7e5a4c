/* Uptime and duration of many checks at once: of the last hour to the minute when `since` is null (a check that did not
   run for an hour shows its newest run), else from there to now. `mean` and `p95` are milliseconds; the percentile costs
   more than all the rest, so it is worked out only where it is asked for. A check that never ran has no row. */
create function public.check_figures(ids uuid[], since timestamptz, percentile boolean)
returns table (check_id uuid, passed integer, failed integer, mean double precision, p95 double precision)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  if since is null then
    return query
    select hour.check_id, hour.passed, hour.failed,
      case when hour.kept_latency is not null then (hour.kept_latency ->> 'avg')::float8
        when hour.single is not null then hour.single::float8
        when hour.histogram > 0 then hour.duration_sum::float8 / nullif(hour.total, 0) end,
      case when percentile then coalesce(nullif((exact.latency ->> 'p95')::float8, 0),
        nullif((exact.latency ->> 'p97')::float8, 0), nullif((exact.latency ->> 'p99')::float8, 0),
        (exact.latency ->> 'p95')::float8) end
    from internal.check_last_hour as hour
    left join lateral (
      select coalesce(hour.kept_latency, internal.latency_of(hour.histogram, hour.duration_sum, hour.single)) as latency
      where percentile offset 0
    ) as exact on true
    where hour.check_id = any (ids);
  else
    return query
    select summed.check_id, summed.passed::integer, summed.failed::integer,
      summed.duration_sum::float8 / nullif(summed.total, 0),
      case when percentile then internal.histogram_percentile(summed.histogram, 0.95)::float8 end
    from internal.sum_check_buckets(ids, since, now()) as summed;
  end if;
end
$$;
