-- Catalogue and topology: the tables that Health points at. Their engines, counters and remaining relations come with
-- their own migrations.

create table public.config_scrapers (
  id uuid not null default public.generate_ulid(),
  description text,
  name text not null,
  spec jsonb not null,
  source public.source not null,
  created_by uuid,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  deleted_at timestamptz,
  is_pushed boolean not null default false,
  constraint config_scrapers_pkey primary key (id),
  constraint config_scrapers_created_by_fkey foreign key (created_by) references public.people (id),
  constraint config_scrapers_agent_id_fkey foreign key (agent_id) references public.agents (id)
);
create index config_scrapers_created_by_idx on public.config_scrapers (created_by);
create index config_scrapers_agent_id_idx on public.config_scrapers (agent_id);
select internal.add_row_triggers('public.config_scrapers');
select internal.count_by_agent('public.config_scrapers', 'config_scrapers');

create table public.config_items (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  icon text,
  scraper_id uuid,
  config_class text not null,
  status text,
  health text,
  ready boolean,
  external_id text[],
  type text not null,
  cost_per_minute numeric(16, 4),
  cost_total_1d numeric(16, 4),
  cost_total_7d numeric(16, 4),
  cost_total_30d numeric(16, 4),
  name text,
  description text,
  config jsonb,
  source text,
  labels jsonb,
  tags jsonb,
  properties jsonb,
  parent_id uuid,
  path text,
  is_pushed boolean not null default false,
  created_by uuid,
  last_scraped_time timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  delete_reason text,
  constraint config_items_pkey primary key (id),
  constraint config_items_agent_id_fkey foreign key (agent_id) references public.agents (id),
  constraint config_items_scraper_id_fkey foreign key (scraper_id) references public.config_scrapers (id),
  constraint config_items_parent_id_fkey foreign key (parent_id) references public.config_items (id)
    deferrable initially deferred,
  constraint config_item_name_type_not_empty check (length(name) > 0 and length(type) > 0)
);
create index idx_config_items_deleted_at on public.config_items (deleted_at);
create index idx_config_items_external_id on public.config_items using gin (external_id);
create index idx_config_items_name on public.config_items (agent_id, name, type, config_class);
create index idx_config_items_parent_id on public.config_items (parent_id);
create index idx_config_items_scraper_id on public.config_items (scraper_id);
create index idx_config_items_tags on public.config_items using gin (tags);
create index config_items_type_name_idx on public.config_items (type, name) where deleted_at is null;
select internal.add_row_triggers('public.config_items');
select internal.count_by_agent('public.config_items', 'configs');

create function internal.name_config_item() returns trigger
language plpgsql
as $$
begin
  if coalesce(new.name, '') = '' then
    new.name := right(new.id::text, 12);
  end if;
  return new;
end
$$;
create trigger check_config_item_name before insert on public.config_items
  for each row execute function internal.name_config_item();

create table public.topologies (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text not null,
  namespace text not null,
  labels jsonb,
  source public.source not null default 'UI',
  spec jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  is_pushed boolean not null default false,
  schedule text,
  created_by uuid,
  deleted_at timestamptz,
  constraint topologies_pkey primary key (id),
  constraint topologies_agent_id_fkey foreign key (agent_id) references public.agents (id),
  constraint topologies_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index topologies_name_namespace_key on public.topologies (agent_id, name, namespace)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000';
create index topologies_agent_id_idx on public.topologies (agent_id);
create index topologies_created_by_idx on public.topologies (created_by);
select internal.add_row_triggers('public.topologies');

create table public.components (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  topology_id uuid,
  external_id text not null,
  parent_id uuid,
  config_id uuid,
  name text not null,
  text text,
  topology_type text,
  namespace text,
  labels jsonb,
  hidden boolean not null default false,
  silenced boolean not null default false,
  is_pushed boolean not null default false,
  status text not null,
  status_expr text,
  health_expr text,
  health text,
  description text,
  lifecycle text,
  tooltip text,
  status_reason text,
  schedule text,
  icon text,
  type text,
  owner text,
  selectors jsonb,
  log_selectors jsonb,
  component_checks jsonb,
  configs jsonb,
  properties jsonb,
  path text,
  summary jsonb,
  is_leaf boolean default false,
  cost_per_minute numeric(16, 4),
  cost_total_1d numeric(16, 4),
  cost_total_7d numeric(16, 4),
  cost_total_30d numeric(16, 4),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  constraint components_pkey primary key (id),
  constraint components_agent_id_fkey foreign key (agent_id) references public.agents (id),
  constraint components_topology_id_fkey foreign key (topology_id) references public.topologies (id),
  constraint components_parent_id_fkey foreign key (parent_id) references public.components (id),
  constraint components_config_id_fkey foreign key (config_id) references public.config_items (id),
  constraint components_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index components_topology_id_type_name_parent_id_key
  on public.components (topology_id, type, name, parent_id);
create index idx_components_agent on public.components (agent_id);
create index idx_components_deleted_at on public.components (deleted_at);
create index idx_components_parent_id on public.components (parent_id);
create index idx_components_properties on public.components using gin (properties);
create index components_config_id_idx on public.components (config_id);
create index components_created_by_idx on public.components (created_by);
select internal.add_row_triggers('public.components');

create table public.team_components (
  team_id uuid not null,
  component_id uuid not null,
  role text,
  selector_id text,
  constraint team_components_pkey primary key (team_id, component_id),
  constraint team_components_team_id_fkey foreign key (team_id) references public.teams (id) on delete cascade,
  constraint team_components_component_id_fkey foreign key (component_id) references public.components (id)
    on delete cascade
);
create unique index team_components_team_id_component_id_selector_id_key
  on public.team_components (team_id, component_id, selector_id);
create index team_components_component_id_idx on public.team_components (component_id);

/* A team that is gone owns nothing; whoever caches teams hears of every change. */
create function internal.handle_team_updates() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'UPDATE' and old.deleted_at is null and new.deleted_at is not null then
    delete from public.team_components where team_id = new.id;
  end if;
  perform pg_notify('table_activity', 'teams ' || old.id);
  return null;
end
$$;
create trigger team_updates after update or delete on public.teams
  for each row execute function internal.handle_team_updates();
