-- People, teams, agents, identities, roles, properties.

create table public.people (
  id uuid not null default public.generate_ulid(),
  name text not null,
  avatar text,
  type text,
  team_id uuid,
  organization text,
  title text,
  email text,
  phone text,
  properties jsonb,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  deleted_at timestamptz,
  last_login timestamptz,
  constraint people_pkey primary key (id)
);
create unique index people_email_unique_idx on public.people (email) where deleted_at is null;
create index people_external_id_idx on public.people (external_id);
create index people_team_id_idx on public.people (team_id);
/* Signing in is no edit: last_login leaves the row's version alone, or a form open meanwhile would be refused. */
create trigger people_update_updated_at
  before update of name, avatar, type, team_id, organization, title, email, phone, properties, external_id, deleted_at
  on public.people for each row when (old.* is distinct from new.*) execute function internal.move_updated_at();

create table public.teams (
  id uuid not null default public.generate_ulid(),
  name text not null,
  icon text,
  spec jsonb,
  source text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint teams_pkey primary key (id),
  constraint teams_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index team_name_key on public.teams (name);
create index teams_created_by_idx on public.teams (created_by);
select internal.add_row_triggers('public.teams');

alter table public.people
  add constraint people_team_id_fkey foreign key (team_id) references public.teams (id);

create table public.team_members (
  team_id uuid not null,
  person_id uuid not null,
  constraint team_members_pkey primary key (team_id, person_id),
  constraint team_members_team_id_fkey foreign key (team_id) references public.teams (id),
  constraint team_members_person_id_fkey foreign key (person_id) references public.people (id)
);
create index team_members_person_id_idx on public.team_members (person_id);

create table public.agents (
  id uuid not null default public.generate_ulid(),
  name text not null,
  hostname text,
  description text,
  ip text,
  version text,
  username text,
  person_id uuid,
  properties jsonb,
  tls text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  cleanup boolean not null default false,
  deleted_at timestamptz,
  last_seen timestamptz,
  last_received timestamptz,
  constraint agents_pkey primary key (id),
  constraint agents_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index agents_name_key on public.agents (name) where deleted_at is null;
create index agents_created_by_idx on public.agents (created_by);
create index agents_person_id_idx on public.agents (person_id);
select internal.add_row_triggers('public.agents');

/* What an agent owns, as signed differences: a row per writing statement, folded now and then. Writers never wait for
   each other, and no page counts. */
create table internal.agent_counts (
  agent_id uuid not null,
  kind text not null check (kind in ('checks', 'configs', 'config_scrapers', 'playbook_runs')),
  delta bigint not null
);
create index agent_counts_agent_id_idx on internal.agent_counts (agent_id);

create function internal.count_for_agents() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into internal.agent_counts (agent_id, kind, delta)
      select agent_id, tg_argv[0], count(*) from added group by agent_id;
  elsif tg_op = 'DELETE' then
    insert into internal.agent_counts (agent_id, kind, delta)
      select agent_id, tg_argv[0], -count(*) from removed group by agent_id;
  else
    insert into internal.agent_counts (agent_id, kind, delta)
      values (old.agent_id, tg_argv[0], -1), (new.agent_id, tg_argv[0], 1);
  end if;
  return null;
end
$$;

/* Counts the rows of a table with an agent_id under this kind. */
create function internal.count_by_agent(relation regclass, kind text) returns void
language plpgsql
as $$
begin
  execute format('create trigger count_added after insert on %s referencing new table as added
    for each statement execute function internal.count_for_agents(%L)', relation, kind);
  execute format('create trigger count_removed after delete on %s referencing old table as removed
    for each statement execute function internal.count_for_agents(%L)', relation, kind);
  execute format('create trigger count_moved after update of agent_id on %s for each row
    when (old.agent_id is distinct from new.agent_id) execute function internal.count_for_agents(%L)', relation, kind);
end
$$;

/* Adds the differences up, one row per agent and kind. For the housekeeping of the engines. */
create function internal.fold_agent_counts() returns void
language sql
as $$
  with folded as (delete from internal.agent_counts returning agent_id, kind, delta)
  insert into internal.agent_counts (agent_id, kind, delta)
  select agent_id, kind, sum(delta) from folded group by agent_id, kind having sum(delta) <> 0
$$;

/* Tokens of people and agents: only hashes, and nobody but the owner reads them. */
create table internal.access_tokens (
  id uuid not null default public.generate_ulid(),
  name text not null,
  person_id uuid not null,
  value text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  constraint access_tokens_pkey primary key (id),
  constraint access_tokens_person_fkey foreign key (person_id) references public.people (id) on delete cascade
);
create unique index access_tokens_person_name_unique_key on internal.access_tokens (person_id, name);

create table public.identities (
  id uuid not null,
  schema_id varchar(2048) not null,
  traits jsonb not null,
  created_at timestamp not null,
  updated_at timestamp not null,
  nid uuid,
  state varchar(255) not null default 'active',
  state_changed_at timestamp,
  metadata_public jsonb,
  metadata_admin jsonb,
  constraint identities_pkey primary key (id)
);
create trigger identities_update_updated_at before update on public.identities
  for each row when (old.* is distinct from new.*) execute function internal.move_updated_at_utc();

/* Who holds which role (specification 1 §6). A person without a row is a viewer. */
create table internal.role_grants (
  person_id uuid not null references public.people (id) on delete cascade,
  role text not null check (role in ('admin', 'editor', 'viewer', 'commander', 'responder')),
  created_at timestamptz not null default now(),
  constraint role_grants_pkey primary key (person_id, role)
);

create table public.severities (
  id integer,
  name text not null,
  aliases text[],
  icon text
);
create unique index severities_id_key on public.severities (id);

create table public.properties (
  name text not null,
  value text not null,
  created_by uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  constraint properties_pkey primary key (name),
  constraint properties_created_by_fkey foreign key (created_by) references public.people (id)
);
create index properties_created_by_idx on public.properties (created_by);
select internal.add_row_triggers('public.properties');

-- Rows that are always there. System is the creator of what nobody created; the agent `local` is "no agent".
insert into public.people (id, name, type) values ('00000000-0000-0000-0000-000000000001', 'System', 'system');
insert into public.agents (id, name) values ('00000000-0000-0000-0000-000000000000', 'local');
insert into public.severities (id, name, aliases) values
  (1, 'Critical', '{P1}'), (2, 'Blocker', '{P2}'), (3, 'High', '{P3}'), (4, 'Medium', '{P4}'), (5, 'Low', '{P4}');
