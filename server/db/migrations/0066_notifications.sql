-- Notifications: rules, silences, what was sent; and what the notifier remembers between two events.

create table public.notifications (
  id uuid not null default public.generate_ulid(),
  name text not null default public.generate_ulid(),
  namespace text,
  events text[] not null,
  error text,
  title text,
  template text,
  filter text,
  properties jsonb,
  person_id uuid,
  team_id uuid,
  repeat_interval text,
  wait_for bigint,
  group_by text[],
  custom_services jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  source public.source,
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint notifications_pkey primary key (id),
  constraint notifications_person_id_fkey foreign key (person_id) references public.people (id) on delete cascade,
  constraint notifications_team_id_fkey foreign key (team_id) references public.teams (id) on delete cascade,
  constraint notifications_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index notifications_name_namespace_key on public.notifications (name, namespace) where deleted_at is null;
create index notifications_person_id_idx on public.notifications (person_id);
create index notifications_team_id_idx on public.notifications (team_id);
create index notifications_created_by_idx on public.notifications (created_by);
create index notifications_filter_idx on public.notifications (filter) where deleted_at is null;

/* An address is a secret as a whole, except an e-mail address: whoever knows a webhook's may write to it. What is left
   shows where it goes; `id` is which secret belongs to the entry, so that entries may be reordered. */
create function internal.hide_notification_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  service jsonb;
  shown jsonb := '[]';
  ids text[] := '{}';
  service_id text;
  address text;
  is_new boolean := false;
begin
  if new.custom_services is not null and jsonb_typeof(new.custom_services) <> 'array' then
    raise exception 'custom_services must be a list.' using errcode = 'invalid_parameter_value';
  end if;
  if tg_op = 'UPDATE' and new.id <> old.id then
    raise exception 'The id of a notification cannot change.' using errcode = 'invalid_parameter_value';
  end if;
  for service in select value from jsonb_array_elements(coalesce(new.custom_services, '[]')) loop
    address := service ->> 'url';
    if address <> '' and address !~* '^mailto:' then
      service_id := coalesce(service ->> 'id', gen_random_uuid()::text);
      if address not like '%***' then
        perform internal.store_secret('notifications', new.id, 'custom_services', service_id, address);
        is_new := true;
      elsif not exists (
        select from internal.secrets as stored
        where stored.relation = 'notifications' and stored.row_id = new.id
          and stored.column_name = 'custom_services' and stored.key = service_id
      ) then
        raise exception 'There is no stored url to keep: *** is only what a stored value looks like.'
          using errcode = 'invalid_parameter_value';
      end if;
      ids := ids || service_id;
      service := service || jsonb_build_object('id', service_id, 'url',
        coalesce((regexp_match(address, '^([a-zA-Z][a-zA-Z0-9+.-]*://)'))[1], '')
        || coalesce((regexp_match(address, '^[a-zA-Z][a-zA-Z0-9+.-]*://(?:[^/?#]*@)?([^/?#@]*)'))[1], '') || '/***');
    end if;
    shown := shown || jsonb_build_array(service);
  end loop;
  if new.custom_services is not null then
    new.custom_services := shown;
  end if;
  delete from internal.secrets
    where relation = 'notifications' and row_id = new.id and column_name = 'custom_services' and key <> all (ids);
  if tg_op = 'UPDATE' and is_new then
    new.updated_at := null; -- another address of the same host looks the same
  end if;
  return new;
end
$$;
create trigger notifications_secrets before insert or update on public.notifications
  for each row execute function internal.hide_notification_secrets();
select internal.add_row_triggers('public.notifications');
create trigger notifications_forget_secrets after delete on public.notifications
  for each row execute function internal.forget_secrets();

/* A rule whose filter failed is not asked again until what may have been wrong is changed. */
create function internal.reset_notification_error() returns trigger
language plpgsql
as $$
begin
  new.error := null;
  return new;
end
$$;
create trigger notifications_reset_error before update on public.notifications
  for each row when (old.filter is distinct from new.filter
    or old.custom_services is distinct from new.custom_services or old.team_id is distinct from new.team_id)
  execute function internal.reset_notification_error();

create table public.notification_silences (
  id uuid not null default public.generate_ulid(),
  namespace text not null,
  description text,
  "from" timestamptz not null,
  until timestamptz not null,
  recursive boolean,
  config_id uuid,
  check_id uuid,
  canary_id uuid,
  component_id uuid,
  source public.source,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint notification_silences_pkey primary key (id),
  -- Unlike the contract's they go with what they silence: deleted checks and canaries are removed for good one day.
  constraint notification_silences_config_id_fkey foreign key (config_id)
    references public.config_items (id) on delete cascade,
  constraint notification_silences_check_id_fkey foreign key (check_id) references internal.checks (id) on delete cascade,
  constraint notification_silences_canary_id_fkey foreign key (canary_id)
    references public.canaries (id) on delete cascade,
  constraint notification_silences_component_id_fkey foreign key (component_id)
    references public.components (id) on delete cascade,
  constraint notification_silences_created_by_fkey foreign key (created_by) references public.people (id)
);
create index notification_silences_until_idx on public.notification_silences (until);
create index notification_silences_config_id_idx on public.notification_silences (config_id);
create index notification_silences_check_id_idx on public.notification_silences (check_id);
create index notification_silences_canary_id_idx on public.notification_silences (canary_id);
create index notification_silences_component_id_idx on public.notification_silences (component_id);
create index notification_silences_created_by_idx on public.notification_silences (created_by);
select internal.add_row_triggers('public.notification_silences');

create table public.notification_send_history (
  id uuid not null default public.generate_ulid(),
  notification_id uuid not null,
  body text,
  status text,
  count integer not null default 1,
  first_observed timestamptz not null default now(),
  source_event text not null,
  resource_id uuid not null,
  person_id uuid,
  error text,
  duration_millis integer,
  created_at timestamptz not null default now(),
  constraint notification_send_history_pkey primary key (id),
  constraint notification_send_history_notification_id_fkey foreign key (notification_id)
    references public.notifications (id) on update cascade on delete cascade,
  constraint notification_send_history_person_id_fkey foreign key (person_id)
    references public.people (id) on update cascade on delete cascade
);
create index notification_send_history_notification_id_idx
  on public.notification_send_history (notification_id, created_at desc);
create index notification_send_history_person_id_idx on public.notification_send_history (person_id);
create index notification_send_history_created_at_idx on public.notification_send_history (created_at);

create view public.notifications_summary with (security_invoker = true) as
  select rule.id, rule.name, coalesce(rule.namespace, '') as namespace, rule.title, rule.events, rule.filter,
    rule.person_id, rule.team_id, rule.custom_services, rule.created_at, rule.updated_at, rule.created_by, rule.source,
    rule.repeat_interval, sends.pending, sends.avg_duration_ms, sends.failed, sends.sent, sends.most_common_error
  from public.notifications as rule
  cross join lateral (
    select count(*) filter (where status = 'sending') as pending,
      round(avg(duration_millis) filter (where status = 'sent'), 2) as avg_duration_ms,
      count(*) filter (where status = 'error') as failed, count(*) filter (where status = 'sent') as sent,
      mode() within group (order by error) as most_common_error
    from public.notification_send_history where notification_id = rule.id
  ) as sends
  where rule.deleted_at is null;

/* A resource that turned bad, for each rule that tells of turns: told when there is a time, else its failures are still
   counted. The row goes when it is well again. */
create table internal.notification_states (
  notification_id uuid not null references public.notifications (id) on delete cascade,
  resource_id uuid not null,
  since timestamptz not null,
  told_at timestamptz,
  constraint notification_states_pkey primary key (notification_id, resource_id)
);
create index notification_states_waiting_idx on internal.notification_states (resource_id) where told_at is null;
