-- Percentiles are worked out when a run is written, not when somebody looks: a page sorts thousands of checks by them.

alter function internal.latency_of(numeric, bigint, integer) immutable;
alter table internal.check_recent add column latency json generated always as (
  internal.latency_of(histogram, duration_sum, case when total = 1 and histogram > 0 then duration_sum::integer end)
) stored;

/* As before, with the latency of the hour up to the newest run, when nothing of it has slid out or that run is at most
   five minutes old. */
create or replace view internal.check_last_hour as
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
