/* What a stranger sees in standalone mode (specification 1 §1): the relations of checks, under the same names, without
   specs, annotations and what failed runs said, which may hold secrets. The role of strangers has rights here and on no
   table of `public`, so what is not written here cannot be read. The views run with their owner's rights, for which each
   has to name tables: a view of `public` would ask for the reader's. */
create schema if not exists standalone;

create or replace view standalone.checks as
  select definition.id, definition.canary_id, definition.agent_id, definition.type, definition.name,
    definition.namespace, definition.description, definition.icon, null::jsonb as spec, definition.labels,
    definition.owner, definition.severity, definition.category, definition.is_pushed, definition.transformed,
    state.last_runtime, state.last_transition_time, state.next_runtime, definition.silenced_at, state.status,
    definition.created_at, definition.updated_at, definition.deleted_at
  from internal.checks as definition
  join internal.check_state as state on state.check_id = definition.id;

create or replace view standalone.canaries as
  select id, agent_id, name, namespace, labels, null::jsonb as annotations, null::jsonb as spec,
    'standalone'::text as source, is_pushed, created_at, null::uuid as created_by, updated_at, deleted_at
  from public.canaries;

create or replace view standalone.check_statuses as
  select check_id, null::jsonb as details, duration, null::text as error, time, created_at, invalid, message, status,
    severity, is_pushed
  from public.check_statuses;

create or replace view standalone.check_names as
  select id, canary_id, type, name, status from standalone.checks
  where deleted_at is null and silenced_at is null order by name;
create or replace view standalone.canary_names as
  select id, name from public.canaries where deleted_at is null order by name;

create or replace view standalone.check_summary as
  select checks.id, checks.canary_id,
    json_build_object('passed', hour.passed, 'failed', hour.failed, 'last_pass', hour.last_pass,
      'last_fail', hour.last_fail) as uptime,
    coalesce(hour.kept_latency, internal.latency_of(hour.histogram, hour.duration_sum, hour.single)) as latency,
    checks.last_transition_time, checks.type, checks.icon, checks.name, checks.status, checks.description,
    checks.namespace, canaries.namespace as canary_namespace, canaries.name as canary_name,
    coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}') as labels,
    checks.severity, checks.owner, checks.last_runtime, checks.created_at, checks.updated_at, checks.deleted_at,
    checks.silenced_at
  from standalone.checks
  join public.canaries on canaries.id = checks.canary_id
  left join internal.check_last_hour as hour on hour.check_id = checks.id;

/* For the tabs by agent; not among what /db answers. */
create or replace view standalone.agents as select id, name from public.agents;
