-- Permission records enforced (docs/decisions/0096): what a record denies to read is not there, whichever way it is asked
-- for; everything else it denies is refused; what it allows beyond the role is done as the role `lent`.

/* The ids of a kind that a record hides from the caller; NULL when there are none, for admins and for the product itself.
   Policies call it in a scalar sub-select: once a statement. `checks of`: checks, those of hidden canaries too; `any`:
   everything hidden. */
create function internal.hidden(kind text) returns uuid[]
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  person uuid := internal.caller();
  denied uuid[];
  canaries uuid[];
begin
  if person is null or internal.is_admin() then
    return null;
  end if;
  select array_agg(record.resource_id) filter (
      where record.kind = hidden.kind or hidden.kind = 'any' or (hidden.kind = 'checks of' and record.kind = 'check')),
    array_agg(record.resource_id) filter (where record.kind = 'canary' and hidden.kind in ('checks of', 'any'))
  into denied, canaries
  from internal.records_of(person) as record
  where record.deny and internal.covers(record.action, 'read');
  if canaries is null then
    return denied;
  end if;
  return coalesce(denied, '{}') || array(select id from internal.checks where canary_id = any (canaries));
end
$$;

/* Is nothing hidden from the caller? The one question of a policy while no record applies. */
create function internal.sees_all() returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
declare
  person uuid := internal.caller();
begin
  return person is null or internal.is_admin() or not exists (
    select from internal.records_of(person) as record where record.deny and internal.covers(record.action, 'read'));
end
$$;

/* All that is hidden as text, for columns that hold ids of every kind. */
create function internal.hidden_texts() returns text[]
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
  select internal.hidden('any')::text[]
$$;

/* Does the caller's own role read connections? Who is lent the right to single ones does not. */
create function internal.reads_connections() returns boolean
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
  select internal.own_role() is null or internal.role_may(internal.own_role(), 'read', 'connection')
$$;

/* Connections that a record lets the caller read. */
create function internal.lent_connections() returns uuid[]
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
  select array_agg(resource_id) from internal.records_of(internal.caller())
  where kind = 'connection' and not deny and internal.covers(action, 'read')
$$;

/* Is there a record that lets this person do one of these things with something of this kind, or with a check through its
   canary? Asked before a request runs as `lent`; which rows it reaches is decided for each of them. */
create function internal.lends(person uuid, kind text, actions text[]) returns boolean
language sql stable
as $$
  select exists (
    select from internal.records_of(person) as record, unnest(actions) as wanted
    where not record.deny and internal.covers(record.action, wanted)
      and (record.kind = lends.kind or (lends.kind = 'check' and record.kind = 'canary')))
$$;

-- Reading. One scalar sub-select a statement says that nothing is hidden; then the others are not evaluated, and a row
-- costs one look at a parameter.
create function internal.hide_rows(relation regclass, seen text, besides text default 'true') returns void
language plpgsql
as $$
begin
  execute format('alter table %s enable row level security', relation);
  execute format('create policy not_hidden on %s using (((select internal.sees_all()) or (%s)) and %s) with check (true)',
    relation, seen, besides);
end
$$;
select internal.hide_rows('public.canaries', $$(id = any ((select internal.hidden('canary'))::uuid[])) is not true$$);
select internal.hide_rows('internal.checks', $$(id = any ((select internal.hidden('check'))::uuid[])) is not true
  and (canary_id = any ((select internal.hidden('canary'))::uuid[])) is not true$$);
select internal.hide_rows('public.config_items', $$(id = any ((select internal.hidden('config'))::uuid[])) is not true$$);
select internal.hide_rows('public.components', $$(id = any ((select internal.hidden('component'))::uuid[])) is not true$$);
select internal.hide_rows('public.playbooks', $$(id = any ((select internal.hidden('playbook'))::uuid[])) is not true$$);
select internal.hide_rows('public.connections', $$(id = any ((select internal.hidden('connection'))::uuid[])) is not true$$,
  $$((select internal.reads_connections()) or id = any ((select internal.lent_connections())::uuid[]))$$);

-- What is told about them elsewhere.
select internal.hide_rows('public.check_statuses', $$(check_id = any ((select internal.hidden('checks of'))::uuid[])) is not true$$);
select internal.hide_rows('internal.check_buckets', $$(check_id = any ((select internal.hidden('checks of'))::uuid[])) is not true$$);
select internal.hide_rows('public.check_component_relationships',
  $$(check_id = any ((select internal.hidden('checks of'))::uuid[])) is not true
  and (component_id = any ((select internal.hidden('component'))::uuid[])) is not true$$);
select internal.hide_rows('public.check_config_relationships',
  $$(check_id = any ((select internal.hidden('checks of'))::uuid[])) is not true
  and (config_id = any ((select internal.hidden('config'))::uuid[])) is not true$$);
select internal.hide_rows('public.team_components', $$(component_id = any ((select internal.hidden('component'))::uuid[])) is not true$$);
select internal.hide_rows('public.notification_silences',
  $$(coalesce(check_id, canary_id, config_id, component_id) = any ((select internal.hidden('any'))::uuid[])) is not true$$);
select internal.hide_rows('public.notification_send_history',
  $$(resource_id = any ((select internal.hidden('any'))::uuid[])) is not true$$);
select internal.hide_rows('public.job_history', $$(resource_id = any ((select internal.hidden_texts())::text[])) is not true$$);
drop function internal.hide_rows;

/* For pickers of people who may not read connections: with the owner's rights, hence its own line about hidden ones. */
create or replace view public.connections_list as
  select id, name, namespace, type,
    case when url ~* '^(bark|discord|smtp|gotify|googlechat|ifttt|join|mattermost|matrix|ntfy|opsgenie|pushbullet|pushover|rocketchat|slack|teams|telegram|zulip)://'
      then 'notification' else '' end as category,
    created_by, created_at, updated_at
  from public.connections
  where deleted_at is null and (id = any ((select internal.hidden('connection'))::uuid[])) is not true;

-- Writing. A row that may be read but not written is refused by name rather than left out.
create function internal.enforce_right() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  kind constant text := tg_argv[0];
  wanted constant text := case when tg_op = 'INSERT' then 'create' when tg_op = 'DELETE' then 'delete'
    when old.deleted_at is null and new.deleted_at is not null then 'delete' else 'update' end;
  lent constant boolean := coalesce(right(current_setting('role'), 5) = '_lent', false);
  resource uuid := case when tg_op <> 'INSERT' then old.id end;
  about text := kind;
begin
  if internal.caller() is null then
    return coalesce(new, old);
  end if;
  if tg_op = 'UPDATE' and new.id <> old.id then
    raise exception 'The id of a % cannot change.', kind using errcode = 'invalid_parameter_value';
  end if;
  if tg_op = 'INSERT' then -- of a check: it becomes a part of its canary
    about := 'canary';
    resource := new.canary_id;
  end if;
  -- The grants have seen to the role already; only a request that is lent its rights must have each by a record.
  if internal.right_of(internal.caller(), internal.is_admin(),
      not lent or internal.role_may(internal.own_role(), wanted, about), wanted, about, resource) <> 'yes' then
    raise exception 'You may not % this %.',
        case wanted when 'create' then 'add checks to' else wanted end, about using errcode = 'insufficient_privilege';
  end if;
  return coalesce(new, old);
end
$$;
create trigger a_right before update or delete on public.canaries
  for each row when (nullif(current_setting('request.jwt.claims', true), '') is not null)
  execute function internal.enforce_right('canary');
create trigger a_right before insert or update or delete on internal.checks
  for each row when (nullif(current_setting('request.jwt.claims', true), '') is not null)
  execute function internal.enforce_right('check');
create trigger a_right before update or delete on public.config_items
  for each row when (nullif(current_setting('request.jwt.claims', true), '') is not null)
  execute function internal.enforce_right('config');
create trigger a_right before update or delete on public.components
  for each row when (nullif(current_setting('request.jwt.claims', true), '') is not null)
  execute function internal.enforce_right('component');
create trigger a_right before update or delete on public.playbooks
  for each row when (nullif(current_setting('request.jwt.claims', true), '') is not null)
  execute function internal.enforce_right('playbook');
create trigger a_right before update or delete on public.connections
  for each row when (nullif(current_setting('request.jwt.claims', true), '') is not null)
  execute function internal.enforce_right('connection');

/* A check that moves to another canary is added there. */
create function internal.enforce_move() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if internal.caller() is not null and internal.right_of(internal.caller(), internal.is_admin(),
      internal.role_may(internal.own_role(), 'create', 'check'), 'create', 'canary', new.canary_id) <> 'yes' then
    raise exception 'canary_id: you may not add checks to this canary.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger a_right_to_move before update of canary_id on internal.checks
  for each row when (old.canary_id <> new.canary_id) execute function internal.enforce_move();

/* Nobody grants what he may not do himself, nor takes a record away that forbids it to him: whoever writes a record of a
   team or person must have every right that it is about. `record` is a row of permissions. */
create function internal.may_write_record(record public.permissions) returns boolean
language sql stable
as $$
  select coalesce(bool_and(internal.right_of(internal.caller(), internal.is_admin(),
    internal.role_may(internal.own_role(), wanted, kind), wanted, kind, resource) = 'yes'), true)
  from (
    select coalesce(record.canary_id, record.check_id, record.config_id, record.component_id, record.connection_id,
        record.playbook_id) as resource,
      case when record.canary_id is not null then 'canary' when record.check_id is not null then 'check'
        when record.config_id is not null then 'config' when record.component_id is not null then 'component'
        when record.connection_id is not null then 'connection' else 'playbook' end as kind
  ) as about
  cross join lateral unnest(case
    when record.action <> '*' then string_to_array(record.action, ',')
    when kind in ('canary', 'check') then array['read', 'update', 'create', 'delete', 'run']
    when kind = 'playbook' then array['read', 'update', 'create', 'delete', 'playbook:run', 'playbook:approve']
    else array['read', 'update', 'create', 'delete'] end) as wanted
$$;

create function internal.guard_permission() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if internal.caller() is null then
    return coalesce(new, old);
  end if;
  if (tg_op <> 'DELETE' and not internal.may_write_record(new))
    or (tg_op <> 'INSERT' and not internal.may_write_record(old)) then
    raise exception 'action: nobody can allow or forbid what they may not do themselves.'
      using errcode = 'insufficient_privilege';
  end if;
  if tg_op <> 'DELETE' and new.deny and new.deleted_at is null and exists (
    select from internal.role_grants where person_id = new.person_id and role = 'admin') then
    raise exception 'person_id: an admin cannot be denied anything.' using errcode = 'check_violation';
  end if;
  return coalesce(new, old);
end
$$;
create trigger permissions_guarded before insert or update or delete on public.permissions
  for each row execute function internal.guard_permission();

/* Joining or leaving a team that has records gives or takes what they say, and so does deleting it. */
create function internal.guard_team() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  teams uuid[] := case tg_table_name
    when 'teams' then array[(to_jsonb(old) ->> 'id')::uuid]
    else array_remove(array[case when tg_op <> 'INSERT' then (to_jsonb(old) ->> 'team_id')::uuid end,
      case when tg_op <> 'DELETE' then (to_jsonb(new) ->> 'team_id')::uuid end], null) end;
begin
  if internal.caller() is not null and exists (
    select from public.permissions as record
    where record.team_id = any (teams) and record.deleted_at is null
      and (record.until is null or record.until > now()) and not internal.may_write_record(record)) then
    raise exception 'This team has permissions that you do not have yourself: only who has them, or an admin, can change it.'
      using errcode = 'insufficient_privilege';
  end if;
  return coalesce(new, old);
end
$$;
create trigger team_members_guarded before insert or update or delete on public.team_members
  for each row execute function internal.guard_team();
create trigger teams_guarded before delete on public.teams
  for each row execute function internal.guard_team();
create trigger teams_deletion_guarded before update on public.teams
  for each row when (old.deleted_at is distinct from new.deleted_at) execute function internal.guard_team();

/* As in 0070, without labels that only hidden checks have. */
create or replace function public.check_label_values(most integer) returns json
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
  with recursive found as (
    (select key, value from internal.label_pairs order by key, value limit 1)
    union all
    select following.* from found cross join lateral (
      select label_pairs.key, label_pairs.value from internal.label_pairs
      where (label_pairs.key, label_pairs.value) > (found.key, found.value)
      order by label_pairs.key, label_pairs.value limit 1
    ) as following
  ), hidden as (select internal.hidden('checks of') as ids
  ), pairs as (
    select key, value from found
    where (select ids from hidden) is null or exists (
      select from internal.label_pairs as seen
      where seen.key = found.key and seen.value = found.value and seen.check_id <> all ((select ids from hidden)::uuid[]))
  ), ranked as (
    select key, nullif(value, '') as value,
      row_number() over (partition by key order by value = '', lower(value) collate "C", value collate "C") as place
    from pairs
  ), keys as (
    select key, count(value) as total,
      coalesce(json_agg(value order by place) filter (where value is not null and place <= most), '[]') as values
    from ranked group by key
  )
  select coalesce(json_agg(json_build_object('key', key, 'values', values, 'total', total)
    order by lower(key) collate "C", key collate "C"), '[]') from keys
$$;

/* The figures themselves are counted without asking who wants them; hidden checks are left out before. */
alter function public.check_figures(uuid[], timestamptz, boolean) set schema internal;
create function public.check_figures(ids uuid[], since timestamptz, percentile boolean)
returns table (check_id uuid, passed integer, failed integer, mean double precision, p95 double precision)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
declare
  hidden constant uuid[] := internal.hidden('checks of');
  seen constant uuid[] := case when hidden is null then ids
    else array(select id from unnest(ids) as id where id <> all (hidden)) end;
begin
  return query select * from internal.check_figures(seen, since, percentile);
end
$$;
