-- Permission records (specification 3 §3.4): what a person or a team may or may not do with one resource.

create table public.playbooks (
  id uuid not null default public.generate_ulid(),
  namespace text not null default 'default',
  name text not null,
  title text not null default '',
  icon text,
  description text,
  spec jsonb not null,
  created_by uuid,
  source public.source not null,
  category text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint playbooks_pkey primary key (id),
  constraint playbooks_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index playbooks_name_key on public.playbooks (namespace, name, category) where deleted_at is null;
create index playbooks_created_by_idx on public.playbooks (created_by);
select internal.add_row_triggers('public.playbooks');

create table public.permissions (
  id uuid not null default public.generate_ulid(),
  description text not null default '',
  source text default 'UI',
  action text not null,
  deny boolean not null default false,
  component_id uuid,
  config_id uuid,
  canary_id uuid,
  check_id uuid,
  playbook_id uuid,
  connection_id uuid,
  person_id uuid,
  team_id uuid,
  until timestamptz,
  created_by uuid not null,
  updated_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint permissions_pkey primary key (id),
  constraint permissions_component_id_fkey foreign key (component_id) references public.components (id) on delete cascade,
  constraint permissions_config_id_fkey foreign key (config_id) references public.config_items (id) on delete cascade,
  constraint permissions_canary_id_fkey foreign key (canary_id) references public.canaries (id) on delete cascade,
  constraint permissions_check_id_fkey foreign key (check_id) references internal.checks (id) on delete cascade,
  constraint permissions_playbook_id_fkey foreign key (playbook_id) references public.playbooks (id) on delete cascade,
  constraint permissions_connection_id_fkey foreign key (connection_id) references public.connections (id)
    on delete cascade,
  constraint permissions_person_id_fkey foreign key (person_id) references public.people (id) on delete cascade,
  constraint permissions_team_id_fkey foreign key (team_id) references public.teams (id) on delete cascade,
  constraint permissions_created_by_fkey foreign key (created_by) references public.people (id),
  constraint permissions_person_id_or_team_id check (num_nonnulls(person_id, team_id) = 1),
  constraint permissions_one_resource check (
    num_nonnulls(component_id, config_id, canary_id, check_id, playbook_id, connection_id) = 1)
);
-- Who is asked about is known, so these two find every record that counts; the others are for cascades and embeds.
create index permissions_person_id_idx on public.permissions (person_id) where person_id is not null;
create index permissions_team_id_idx on public.permissions (team_id) where team_id is not null;
create index permissions_component_id_idx on public.permissions (component_id) where component_id is not null;
create index permissions_config_id_idx on public.permissions (config_id) where config_id is not null;
create index permissions_canary_id_idx on public.permissions (canary_id) where canary_id is not null;
create index permissions_check_id_idx on public.permissions (check_id) where check_id is not null;
create index permissions_playbook_id_idx on public.permissions (playbook_id) where playbook_id is not null;
create index permissions_connection_id_idx on public.permissions (connection_id) where connection_id is not null;
create index permissions_created_by_idx on public.permissions (created_by);
create index permissions_created_at_idx on public.permissions (created_at desc) where deleted_at is null;
select internal.add_row_triggers('public.permissions');

/* Brings a record into its one form and says by field what is wrong with it. Other user interfaces write the names of
   their constants; what is kept are the words of the contract. */
create function internal.check_permission() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  constants constant jsonb := '{"ActionRead": "read", "ActionUpdate": "update", "ActionCreate": "create",
    "ActionDelete": "delete", "ActionAll": "*", "ActionCRUD": "create,read,update,delete",
    "ActionRun": "playbook:run", "ActionApprove": "playbook:approve"}';
  caller uuid := internal.caller();
begin
  new.action := coalesce(constants ->> new.action, new.action);
  if new.action = 'playbook:run' and (new.canary_id is not null or new.check_id is not null) then
    new.action := 'run';
  end if;
  new.description := coalesce(new.description, '');
  new.deny := coalesce(new.deny, false);
  if tg_op = 'UPDATE' and caller is not null then
    new.updated_by := caller;
  end if;
  if num_nonnulls(new.person_id, new.team_id) <> 1 then
    raise exception 'person_id, team_id: exactly one of them must be given.' using errcode = 'check_violation';
  end if;
  if num_nonnulls(new.component_id, new.config_id, new.canary_id, new.check_id, new.playbook_id,
      new.connection_id) <> 1 then
    raise exception 'config_id, component_id, canary_id, check_id, connection_id, playbook_id: exactly one of them must be given.'
      using errcode = 'check_violation';
  end if;
  if new.action in ('read', 'update', 'create', 'delete', '*', 'create,read,update,delete')
    or (new.action = 'run' and (new.canary_id is not null or new.check_id is not null))
    or (new.action in ('playbook:run', 'playbook:approve') and new.playbook_id is not null) then
    return new;
  end if;
  raise exception 'action: must be %.', case
      when new.canary_id is not null or new.check_id is not null
        then 'read, update, create, delete, create,read,update,delete, run or *'
      when new.playbook_id is not null
        then 'read, update, create, delete, create,read,update,delete, playbook:run, playbook:approve or *'
      else 'read, update, create, delete, create,read,update,delete or *' end
    using errcode = 'check_violation';
end
$$;
create trigger permissions_checked before insert or update on public.permissions
  for each row execute function internal.check_permission();

/* The records that count for a person now: their own and those of their teams, not expired. */
create function internal.records_of(person uuid)
returns table (kind text, resource_id uuid, action text, deny boolean)
language sql stable parallel safe
as $$
  select case when canary_id is not null then 'canary' when check_id is not null then 'check'
      when config_id is not null then 'config' when component_id is not null then 'component'
      when connection_id is not null then 'connection' else 'playbook' end,
    coalesce(canary_id, check_id, config_id, component_id, connection_id, playbook_id), action, deny
  from (
    select * from public.permissions where person_id = person and deleted_at is null
    union all
    select record.* from public.team_members as member
    join public.teams as team on team.id = member.team_id and team.deleted_at is null
    join public.permissions as record on record.team_id = member.team_id and record.deleted_at is null
    where member.person_id = person
  ) as own
  where until is null or until > now()
$$;

/* Does a record about `recorded` speak of the action `asked`? */
create function internal.covers(recorded text, asked text) returns boolean
language sql immutable strict parallel safe
as $$
  select recorded = '*' or asked = any (string_to_array(recorded, ','))
$$;

/* The PostgreSQL role whose rights the caller has without any record; NULL for the product itself. A request that only a
   record allows runs as the role `lent`, which says in `own_role` whose place it takes. */
create function internal.own_role() returns name
language sql stable parallel safe
as $$
  select coalesce(claims ->> 'own_role', claims ->> 'role')::name
  from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb as claims) as given
$$;

/* No record denies an admin anything. */
create function internal.is_admin() returns boolean
language sql stable parallel safe
as $$
  select coalesce(right(internal.own_role()::text, 6) = '_admin', false)
$$;

/* What a role may do with every resource of a kind: exactly what its grants say. Running needs the right to change. */
create function internal.role_may(role_name name, action text, kind text) returns boolean
language sql stable strict parallel safe
as $$
  select coalesce(has_table_privilege(pg_roles.oid,
    case kind when 'canary' then 'public.canaries' when 'check' then 'public.checks'
      when 'config' then 'public.config_items' when 'component' then 'public.components'
      when 'connection' then 'public.connections' when 'playbook' then 'public.playbooks' end,
    case action when 'read' then 'select' when 'create' then 'insert' when 'delete' then 'delete' else 'update' end),
    false)
  from pg_catalog.pg_roles where rolname = role_name
$$;

/* The one rule (docs/decisions/0096): `yes`, `no`, or `hidden` when a record denies reading. Admins may everything; a deny
   wins over an allow; an allow adds to the role. What is said of a canary is said of its checks. `by_role`: does the role
   allow it by itself? */
create function internal.right_of(person uuid, admin boolean, by_role boolean, wanted text, kind text, resource uuid)
returns text
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
declare
  canary uuid := case kind when 'check' then (select canary_id from internal.checks where id = resource) end;
  hidden boolean;
  denied boolean;
  allowed boolean;
begin
  if admin then
    return 'yes';
  end if;
  select bool_or(record.deny and internal.covers(record.action, 'read')),
    bool_or(record.deny and internal.covers(record.action, wanted)),
    bool_or(not record.deny and internal.covers(record.action, wanted))
  into hidden, denied, allowed
  from internal.records_of(person) as record
  where (record.kind = right_of.kind and record.resource_id = resource)
    or (record.kind = 'canary' and record.resource_id = canary);
  return case when hidden then 'hidden' when denied then 'no' when by_role or allowed then 'yes' else 'no' end;
end
$$;
