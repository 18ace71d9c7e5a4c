-- Canaries, checks and what they are linked to.

create table public.canaries (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text not null,
  namespace text not null,
  labels jsonb,
  annotations jsonb,
  spec jsonb not null,
  source text,
  is_pushed boolean not null default false,
  created_at timestamptz default now(),
  created_by uuid,
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  constraint canaries_pkey primary key (id),
  constraint canaries_agent_id_fkey foreign key (agent_id) references public.agents (id),
  constraint canaries_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index canaries_name_namespace_source_key on public.canaries (agent_id, name, namespace, source)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000';
create index canaries_source_idx on public.canaries (source);
create index canaries_agent_id_idx on public.canaries (agent_id);
create index canaries_created_by_idx on public.canaries (created_by);
create index canaries_created_at_idx on public.canaries (created_at desc) where deleted_at is null;
create index canaries_labels_idx on public.canaries using gin (labels jsonb_path_ops);
select internal.add_row_triggers('public.canaries');

/* What a check is. What changes with every run is in check_state; `public.checks` shows the two as the contract's one
   relation, so the constraints here carry the contract's names. */
create table internal.checks (
  id uuid not null default public.generate_ulid(),
  canary_id uuid not null,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  type text not null,
  name text not null,
  namespace text,
  description text,
  icon text,
  spec jsonb,
  labels jsonb,
  owner text,
  severity text,
  category text,
  is_pushed boolean not null default false,
  transformed boolean,
  silenced_at timestamptz,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  constraint checks_pkey primary key (id),
  constraint checks_canary_id_fkey foreign key (canary_id) references public.canaries (id) on delete cascade,
  constraint checks_agent_id_fkey foreign key (agent_id) references public.agents (id)
);
create unique index checks_canary_id_type_name_agent_id_key on internal.checks (canary_id, type, name, agent_id);
create index idx_checks_agent on internal.checks (agent_id);
create index idx_checks_deleted_at on internal.checks (deleted_at);
create index checks_name_idx on internal.checks (name, id) where deleted_at is null;
create index checks_labels_idx on internal.checks using gin (labels jsonb_path_ops);
select internal.add_row_triggers('internal.checks');
select internal.count_by_agent('internal.checks', 'checks');

/* One narrow row per check, written twice a run. Only the key and the rarely changing status are indexed, so that these
   writes stay inside their page: 100,000 rows are 15 MB, and reading them all to find the due ones takes milliseconds. */
create table internal.check_state (
  check_id uuid not null references internal.checks (id) on delete cascade,
  status text,
  last_runtime timestamptz,
  next_runtime timestamptz,
  last_transition_time timestamptz,
  -- The run in progress: who has it, for which instant, and when it counts as lost.
  claimed_by text,
  claimed_instant timestamptz,
  claimed_until timestamptz,
  constraint check_state_pkey primary key (check_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
create index check_state_status_idx on internal.check_state (status);

/* Every check has a state, whoever inserted it. */
create function internal.add_check_state() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into internal.check_state (check_id) select id from added on conflict (check_id) do nothing;
  return null;
end
$$;
create trigger add_check_state after insert on internal.checks referencing new table as added
  for each statement execute function internal.add_check_state();

create function internal.move_last_transition_time() returns trigger
language plpgsql
as $$
begin
  if new.last_transition_time is not distinct from old.last_transition_time then
    new.last_transition_time := now();
  end if;
  return new;
end
$$;
create trigger checks_last_transition_time before update on internal.check_state
  for each row when (old.status is distinct from new.status) execute function internal.move_last_transition_time();

/* check.passed and check.failed: one statement for all checks whose status the update changed. */
create function internal.enqueue_check_events() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into internal.event_queue (name, key, properties)
  select case after.status when 'healthy' then 'check.passed' else 'check.failed' end, after.check_id::text,
    jsonb_build_object('id', after.check_id, 'last_runtime', after.last_runtime)
  from after join before using (check_id)
  where after.status in ('healthy', 'unhealthy') and after.status is distinct from before.status
  order by after.check_id
  on conflict on constraint event_queue_name_key do update
    set properties = excluded.properties, created_at = now(), attempts = 0, last_attempt = null, error = null;
  return null;
end
$$;
create trigger check_enqueue after update on internal.check_state referencing old table as before new table as after
  for each statement execute function internal.enqueue_check_events();

create table public.check_component_relationships (
  component_id uuid not null,
  check_id uuid not null,
  canary_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint check_component_relationships_component_id_fkey foreign key (component_id)
    references public.components (id) on delete cascade,
  constraint check_component_relationships_check_id_fkey foreign key (check_id)
    references internal.checks (id) on delete cascade,
  constraint check_component_relationships_canary_id_fkey foreign key (canary_id)
    references public.canaries (id) on delete cascade
);
create unique index check_component_relationships_component_id_check_id_canary__key
  on public.check_component_relationships (component_id, check_id, canary_id, selector_id);
create index check_component_relationships_check_id_idx on public.check_component_relationships (check_id);
create index check_component_relationships_canary_id_idx on public.check_component_relationships (canary_id);
create index idx_check_component_relationships_deleted_at on public.check_component_relationships (deleted_at);
select internal.add_row_triggers('public.check_component_relationships');

create table public.check_config_relationships (
  config_id uuid not null,
  check_id uuid not null,
  canary_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint check_config_relationships_config_id_fkey foreign key (config_id)
    references public.config_items (id) on delete cascade deferrable initially deferred,
  constraint check_config_relationships_check_id_fkey foreign key (check_id)
    references internal.checks (id) on delete cascade,
  constraint check_config_relationships_canary_id_fkey foreign key (canary_id)
    references public.canaries (id) on delete cascade
);
create unique index check_config_relationships_config_id_check_id_canary__key
  on public.check_config_relationships (config_id, check_id, canary_id, selector_id);
create index check_config_relationships_check_id_idx on public.check_config_relationships (check_id);
create index check_config_relationships_canary_id_idx on public.check_config_relationships (canary_id);
select internal.add_row_triggers('public.check_config_relationships');

/* Deleting a canary deletes its checks, deleting a check closes its links, both kinds: the same instant for all. */
create function internal.soft_delete_canary() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update internal.checks as child set deleted_at = after.deleted_at
  from after join before using (id)
  where child.canary_id = after.id and child.deleted_at is null
    and before.deleted_at is null and after.deleted_at is not null;
  return null;
end
$$;
create trigger canary_deleted_trigger after update on public.canaries
  referencing old table as before new table as after
  for each statement execute function internal.soft_delete_canary();

create function internal.soft_delete_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update public.check_component_relationships as link set deleted_at = after.deleted_at
  from after join before using (id)
  where link.check_id = after.id and link.deleted_at is null
    and before.deleted_at is null and after.deleted_at is not null;
  update public.check_config_relationships as link set deleted_at = after.deleted_at
  from after join before using (id)
  where link.check_id = after.id and link.deleted_at is null
    and before.deleted_at is null and after.deleted_at is not null;
  return null;
end
$$;
create trigger check_deleted_trigger after update on internal.checks
  referencing old table as before new table as after
  for each statement execute function internal.soft_delete_check();

/* A component that is gone belongs to no team and has no checks. */
create function internal.handle_component_updates() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from public.team_components where component_id = new.id;
  update public.check_component_relationships set deleted_at = new.deleted_at
    where component_id = new.id and deleted_at is null;
  return null;
end
$$;
create trigger component_updates after update on public.components
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function internal.handle_component_updates();

create view public.checks with (security_invoker = true) as
  select definition.id, definition.canary_id, definition.agent_id, definition.type, definition.name,
    definition.namespace, definition.description, definition.icon, definition.spec, definition.labels,
    definition.owner, definition.severity, definition.category, definition.is_pushed, definition.transformed,
    state.last_runtime, state.last_transition_time, state.next_runtime, definition.silenced_at, state.status,
    definition.created_at, definition.updated_at, definition.deleted_at
  from internal.checks as definition
  join internal.check_state as state on state.check_id = definition.id;
alter view public.checks
  alter column id set default public.generate_ulid(),
  alter column agent_id set default '00000000-0000-0000-0000-000000000000',
  alter column is_pushed set default false;

/* Writing to `checks` writes the two tables. Who may do so is the view's own privileges, checked before these run. */
create function internal.insert_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  new.id := coalesce(new.id, public.generate_ulid());
  -- One statement: the state is there before its row trigger looks, so a first status is no change of status.
  with state as (
    insert into internal.check_state (check_id, status, last_runtime, next_runtime, last_transition_time)
    values (new.id, new.status, new.last_runtime, new.next_runtime, new.last_transition_time)
  )
  insert into internal.checks (id, canary_id, agent_id, type, name, namespace, description, icon, spec, labels, owner,
    severity, category, is_pushed, transformed, silenced_at, created_at, updated_at, deleted_at)
  values (new.id, new.canary_id, new.agent_id, new.type, new.name, new.namespace, new.description, new.icon, new.spec,
    new.labels, new.owner, new.severity, new.category, new.is_pushed, new.transformed, new.silenced_at,
    coalesce(new.created_at, now()), coalesce(new.updated_at, now()), new.deleted_at)
  returning created_at, updated_at into new.created_at, new.updated_at;
  return new;
end
$$;
create trigger insert_check instead of insert on public.checks
  for each row execute function internal.insert_check();

create function internal.update_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update internal.checks set (id, canary_id, agent_id, type, name, namespace, description, icon, spec, labels, owner,
      severity, category, is_pushed, transformed, silenced_at, created_at, updated_at, deleted_at) =
    (new.id, new.canary_id, new.agent_id, new.type, new.name, new.namespace, new.description, new.icon, new.spec,
      new.labels, new.owner, new.severity, new.category, new.is_pushed, new.transformed, new.silenced_at,
      new.created_at, new.updated_at, new.deleted_at)
    where id = old.id and updated_at is not distinct from old.updated_at
    returning updated_at into new.updated_at;
  if not found then
    return null; -- changed or deleted since the statement read it: nothing was updated
  end if;
  if (old.status, old.last_runtime, old.next_runtime, old.last_transition_time)
     is distinct from (new.status, new.last_runtime, new.next_runtime, new.last_transition_time) then
    update internal.check_state
      set status = new.status, last_runtime = new.last_runtime, next_runtime = new.next_runtime,
          last_transition_time = new.last_transition_time
      where check_id = new.id
      returning last_transition_time into new.last_transition_time;
  end if;
  return new;
end
$$;
create trigger update_check instead of update on public.checks
  for each row execute function internal.update_check();

create function internal.delete_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from internal.checks where id = old.id;
  return case when found then old end;
end
$$;
create trigger delete_check instead of delete on public.checks
  for each row execute function internal.delete_check();
