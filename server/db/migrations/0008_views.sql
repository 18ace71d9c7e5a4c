-- The contract's views over the tables so far. security_invoker: they show nobody more than the tables would.

/* People who use the product: not System, not the people that act for agents. No role is an empty list (a viewer). */
create view public.people_roles with (security_invoker = true) as
  select people.id, people.name, people.email,
    array(
      select grants.role::varchar from internal.role_grants as grants
      where grants.person_id = people.id order by grants.role
    ) as roles
  from public.people
  where people.deleted_at is null and people.type is distinct from 'agent' and people.type is distinct from 'system';

create view public.agents_summary with (security_invoker = true) as
  select agents.id, agents.name, agents.hostname, agents.description, agents.ip, agents.version, agents.username,
    agents.person_id, agents.properties, agents.tls, agents.created_by, agents.created_at, agents.updated_at,
    agents.cleanup, agents.deleted_at, agents.last_seen, agents.last_received,
    coalesce(counts.configs, 0)::bigint as config_count,
    coalesce(counts.config_scrapers, 0)::bigint as config_scrapper_count,
    coalesce(counts.checks, 0)::bigint as checks_count,
    coalesce(counts.playbook_runs, 0)::bigint as playbook_runs_count
  from public.agents
  left join (
    select agent_id, sum(delta) filter (where kind = 'configs') as configs,
      sum(delta) filter (where kind = 'config_scrapers') as config_scrapers,
      sum(delta) filter (where kind = 'checks') as checks,
      sum(delta) filter (where kind = 'playbook_runs') as playbook_runs
    from internal.agent_counts group by agent_id
  ) as counts on counts.agent_id = agents.id
  where agents.deleted_at is null;

-- Pickers and name look-ups.
create view public.canary_names with (security_invoker = true) as
  select id, name from public.canaries where deleted_at is null order by name;

create view public.check_names with (security_invoker = true) as
  select id, canary_id, type, name, status from public.checks
  where deleted_at is null and silenced_at is null order by name;

create view public.component_names with (security_invoker = true) as
  select id, path, external_id, type, name, created_at, updated_at, icon, parent_id
  from public.components where deleted_at is null and not hidden order by name, external_id;

create view public.config_names with (security_invoker = true) as
  select id, type, external_id, name from public.config_items order by name;

create view public.check_labels with (security_invoker = true) as
  select distinct label.key, label.value
  from public.checks
  cross join lateral jsonb_each_text(case jsonb_typeof(labels) when 'object' then labels end) as label
  order by label.key, label.value;

create view public.component_labels with (security_invoker = true) as
  select distinct label.key, label.value
  from public.components
  cross join lateral jsonb_each_text(case jsonb_typeof(labels) when 'object' then labels end) as label
  order by label.key, label.value;

/* The catalogue's list. Insights and changes have no tables yet: the migration that makes them fills these two. */
create view public.configs with (security_invoker = true) as
  select id, scraper_id, config_class, external_id, type, name, tags ->> 'namespace' as namespace, description, source,
    labels, tags, created_by, created_at, updated_at, deleted_at, cost_per_minute, cost_total_1d, cost_total_7d,
    cost_total_30d, agent_id, status, health, ready, path, null::json as analysis, null::json as changes
  from public.config_items;

/* Checks with the uptime and latency of their last hour. It was summed up at the newest run; that is good while at most
   two minutes of it have slid out of the hour. Rarer checks have few runs, which are summed up here and now; a check that
   did not run for an hour shows its newest run. */
create view public.check_summary with (security_invoker = true) as
  select checks.id, checks.canary_id,
    json_build_object('passed', sums.passed, 'failed', sums.failed, 'last_pass', sums.last_pass,
      'last_fail', sums.last_fail) as uptime,
    json_build_object('p99', sums.percentiles[1], 'p97', sums.percentiles[2], 'p95', sums.percentiles[3],
      'p50', sums.percentiles[4], 'avg', sums.mean) as latency,
    checks.last_transition_time, checks.type, checks.icon, checks.name, checks.status, checks.description,
    checks.namespace, canaries.namespace as canary_namespace, canaries.name as canary_name,
    coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}') as labels,
    checks.severity, checks.owner, checks.last_runtime, checks.created_at, checks.updated_at, checks.deleted_at,
    checks.silenced_at
  from public.checks
  join public.canaries on canaries.id = checks.canary_id
  left join internal.check_windows as kept on kept.check_id = checks.id
  left join lateral (
    select kept.passed, kept.failed, kept.last_pass, kept.last_fail,
      array[kept.p99, kept.p97, kept.p95, kept.p50] as percentiles, kept.mean
    where kept.newest > now() - interval '1 hour' and kept.oldest > now() - interval '62 minutes'
    union all
    select count(*) filter (where status), count(*) filter (where not status), max(time) filter (where status),
      max(time) filter (where not status),
      percentile_disc(array[0.99, 0.97, 0.95, 0.5]) within group (order by duration), avg(duration)
    from public.check_statuses
    where check_id = kept.check_id and time > now() - interval '1 hour'
      and kept.newest > now() - interval '1 hour' and kept.oldest <= now() - interval '62 minutes'
    having kept.newest > now() - interval '1 hour' and kept.oldest <= now() - interval '62 minutes'
    union all
    select kept.newest_status::integer, (not kept.newest_status)::integer,
      case when kept.newest_status then kept.newest end, case when not kept.newest_status then kept.newest end,
      array_fill(kept.newest_duration, array[4]), kept.newest_duration
    where kept.newest <= now() - interval '1 hour'
  ) as sums on true;

create view public.checks_by_component with (security_invoker = true) as
  select links.component_id, checks.id, checks.type, checks.name, checks.severity, checks.status
  from public.check_component_relationships as links
  join public.checks on checks.id = links.check_id
  where links.deleted_at is null;

create view public.checks_by_config with (security_invoker = true) as
  select links.config_id, checks.id, checks.type, checks.name, checks.severity, checks.status, checks.icon,
    checks.last_runtime
  from public.check_config_relationships as links
  join public.checks on checks.id = links.check_id
  where links.deleted_at is null;

create view public.check_summary_by_component with (security_invoker = true) as
  select component_id, json_object_agg(status, n) as checks
  from (
    select component_id, status, count(*) as n from public.checks_by_component
    where status is not null group by component_id, status
  ) as counts
  group by component_id;

create view public.check_summary_by_config with (security_invoker = true) as
  select config_id, json_object_agg(status, n) as checks
  from (
    select config_id, status, count(*) as n from public.checks_by_config
    where status is not null group by config_id, status
  ) as counts
  group by config_id;

create view public.check_summary_for_config with (security_invoker = true) as
  select links.config_id, summary.id, summary.canary_id, summary.uptime, summary.latency, summary.last_transition_time,
    summary.type, summary.icon, summary.name, summary.status, summary.description, summary.namespace,
    summary.canary_namespace, summary.canary_name, summary.labels, summary.severity, summary.owner,
    summary.last_runtime, summary.created_at, summary.updated_at, summary.deleted_at, summary.silenced_at
  from public.check_config_relationships as links
  join public.check_summary as summary on summary.id = links.check_id
  where links.deleted_at is null;

create function public.check_summary_for_component(id uuid) returns setof public.check_summary
language sql stable parallel safe
as $$
  select summary.* from public.check_summary as summary
  where summary.id in (
    select check_id from public.check_component_relationships
    where component_id = check_summary_for_component.id and deleted_at is null)
$$;

create function public.lookup_components_by_check(id uuid) returns setof public.components
language sql stable parallel safe
as $$
  select components.* from public.components
  where components.id in (
    select component_id from public.check_component_relationships
    where check_id = lookup_components_by_check.id and deleted_at is null)
$$;

-- Jobs.
create view public.job_history_names with (security_invoker = true) as
  with recursive names as ( -- from one name to the next by the index: as many steps as there are names
    (select name from public.job_history where name is not null order by name limit 1)
    union all
    select (select name from public.job_history where name > names.name order by name limit 1)
    from names where names.name is not null
  )
  select name from names where name is not null;

create view public.job_history_latest_status with (security_invoker = true) as
  select job.id, job.agent_id, job.name, job.success_count, job.error_count, job.details, job.hostname,
    job.duration_millis, job.resource_type, job.resource_id, job.status, job.time_start, job.time_end, job.created_at,
    job.is_pushed, 1::bigint as rn
  from internal.job_latest as latest
  join public.job_history as job on job.id = latest.job_id;

create view public.job_histories with (security_invoker = true) as
  select job.id, job.agent_id, job.name, job.success_count, job.error_count, job.details, job.hostname,
    job.duration_millis, job.resource_type, job.resource_id, job.status, job.time_start, job.time_end, job.created_at,
    job.is_pushed,
    coalesce(components.name, config_scrapers.name, topologies.name, canaries.name, job.resource_id) as resource_name,
    json_build_object('id', agents.id, 'name', agents.name) as agent
  from public.job_history as job
  cross join lateral (
    select case when job.resource_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then job.resource_id::uuid end as id
  ) as resource
  left join public.components on job.resource_type = 'components' and components.id = resource.id
  left join public.config_scrapers on job.resource_type = 'config_scraper' and config_scrapers.id = resource.id
  left join public.topologies on job.resource_type = 'topology' and topologies.id = resource.id
  left join public.canaries on job.resource_type = 'canary' and canaries.id = resource.id
  left join public.agents on agents.id = job.agent_id;

-- Resources with their newest job. The joins are by key, and none is made for a column nobody asked for.
create view public.canaries_with_status with (security_invoker = true) as
  select canaries.id, canaries.name, canaries.namespace, canaries.spec ->> 'interval' as interval,
    canaries.spec ->> 'schedule' as schedule, canaries.labels, canaries.source, canaries.created_by,
    canaries.created_at, canaries.deleted_at,
    (
      select max(state.last_runtime)
      from internal.checks as definition
      join internal.check_state as state on state.check_id = definition.id
      where definition.canary_id = canaries.id
    ) as last_runtime,
    job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
    job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
    job.time_end as job_time_end, job.created_at as job_created_at, latest.last_failed as job_last_failed,
    json_build_object('id', agents.id, 'name', agents.name) as agent
  from public.canaries
  left join internal.job_latest as latest
    on latest.resource_type = 'canary' and latest.resource_id = canaries.id::text
  left join public.job_history as job on job.id = latest.job_id
  left join public.agents on agents.id = canaries.agent_id
  where canaries.deleted_at is null;

create view public.config_scrapers_with_status with (security_invoker = true) as
  select scrapers.id, scrapers.description, scrapers.name, scrapers.spec, scrapers.source, scrapers.created_by,
    scrapers.agent_id, scrapers.created_at, scrapers.updated_at, scrapers.deleted_at, scrapers.is_pushed,
    job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
    job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
    job.time_end as job_time_end, job.created_at as job_created_at, latest.last_failed as job_last_failed,
    json_build_object('id', agents.id, 'name', agents.name) as agent
  from public.config_scrapers as scrapers
  left join internal.job_latest as latest
    on latest.resource_type = 'config_scraper' and latest.resource_id = scrapers.id::text
  left join public.job_history as job on job.id = latest.job_id
  left join public.agents on agents.id = scrapers.agent_id
  where scrapers.deleted_at is null;

create view public.topologies_with_status with (security_invoker = true) as
  select topologies.id, topologies.agent_id, topologies.name, topologies.namespace, topologies.labels,
    topologies.source, topologies.spec, topologies.created_at, topologies.updated_at, topologies.is_pushed,
    topologies.schedule, topologies.created_by, topologies.deleted_at,
    job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
    job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
    job.time_end as job_time_end, job.created_at as job_created_at, latest.last_failed as job_last_failed,
    json_build_object('id', agents.id, 'name', agents.name) as agent
  from public.topologies
  left join internal.job_latest as latest
    on latest.resource_type = 'topology' and latest.resource_id = topologies.id::text
  left join public.job_history as job on job.id = latest.job_id
  left join public.agents on agents.id = topologies.agent_id
  where topologies.deleted_at is null;

create view public.teams_with_status with (security_invoker = true) as
  select teams.id, teams.name, teams.icon, teams.spec, teams.source, teams.created_by, teams.created_at,
    teams.updated_at, teams.deleted_at,
    job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
    job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
    job.time_end as job_time_end, job.created_at as job_created_at, latest.last_failed as job_last_failed
  from public.teams
  left join internal.job_latest as latest on latest.resource_type = 'team' and latest.resource_id = teams.id::text
  left join public.job_history as job on job.id = latest.job_id
  where teams.deleted_at is null;

create view public.event_queue_summary with (security_invoker = true) as
  select name, count(*) as pending, count(error) as failed, round(avg(attempts), 2) as average_attempts,
    min(created_at) filter (where error is not null) as first_failure, max(last_attempt) as last_failure,
    mode() within group (order by error) as most_common_error
  from internal.event_queue
  group by name;

/* What an agent leaves behind: its person's tokens end now, and with `cleanup` all it pushed is deleted. */
create function internal.delete_agent_resources(agent uuid, at timestamptz) returns void
language sql
as $$
  update public.topologies set deleted_at = at where agent_id = agent and deleted_at is null;
  update public.components set deleted_at = at where agent_id = agent and deleted_at is null;
  update public.canaries set deleted_at = at where agent_id = agent and deleted_at is null;
  update internal.checks set deleted_at = at where agent_id = agent and deleted_at is null;
  update public.config_scrapers set deleted_at = at where agent_id = agent and deleted_at is null;
  update public.config_items set deleted_at = at where agent_id = agent and deleted_at is null;
  update public.logging_backends set deleted_at = at where agent_id = agent and deleted_at is null
$$;

create function internal.handle_deleted_agent() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update internal.access_tokens set expires_at = now()
    where person_id = old.person_id and (expires_at is null or expires_at > now());
  if tg_op = 'UPDATE' and new.cleanup and new.id <> '00000000-0000-0000-0000-000000000000' then
    perform internal.delete_agent_resources(new.id, new.deleted_at);
  end if;
  return null;
end
$$;
create trigger delete_agent_access_tokens after update on public.agents
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function internal.handle_deleted_agent();
create trigger delete_agent_access_tokens_for_good after delete on public.agents
  for each row execute function internal.handle_deleted_agent();
