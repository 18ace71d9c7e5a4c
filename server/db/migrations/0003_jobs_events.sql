-- Job history and the event queue.

create table public.job_history (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text,
  success_count integer,
  error_count integer,
  details jsonb,
  hostname text,
  duration_millis integer,
  resource_type text,
  resource_id text,
  status text,
  time_start timestamptz,
  time_end timestamptz,
  created_at timestamptz not null default now(),
  is_pushed boolean not null default false,
  constraint job_history_pkey primary key (id)
);
create index job_history_created_at_idx on public.job_history (created_at desc);
create index job_history_name_idx on public.job_history (name, created_at desc);
create index job_history_resource_id_idx on public.job_history (resource_id, created_at desc);
create index job_history_status_idx on public.job_history (status, created_at desc);

/* Which run is the newest of a resource, so that a list of resources looks each up by key instead of sorting history. */
create table internal.job_latest (
  resource_type text not null,
  resource_id text not null,
  job_id uuid references public.job_history (id) on delete set null,
  created_at timestamptz not null,
  last_failed timestamptz,
  constraint job_latest_pkey primary key (resource_type, resource_id)
) with (fillfactor = 70);
create index job_latest_job_id_idx on internal.job_latest (job_id);

create function internal.note_latest_job() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into internal.job_latest as latest (resource_type, resource_id, job_id, created_at, last_failed)
  select distinct on (resource_type, resource_id) resource_type, resource_id, id, created_at,
    max(time_start) filter (where status = 'FAILED') over (partition by resource_type, resource_id)
  from written
  where resource_type <> '' and resource_id <> ''
  order by resource_type, resource_id, created_at desc, id desc
  on conflict (resource_type, resource_id) do update set
    job_id = case when excluded.created_at >= latest.created_at or latest.job_id is null
                  then excluded.job_id else latest.job_id end,
    created_at = greatest(latest.created_at, excluded.created_at),
    last_failed = greatest(latest.last_failed, excluded.last_failed)
  where latest.job_id is distinct from excluded.job_id or excluded.last_failed is not null;
  return null;
end
$$;
create trigger job_inserted after insert on public.job_history referencing new table as written
  for each statement execute function internal.note_latest_job();
create trigger job_updated after update on public.job_history referencing new table as written
  for each statement execute function internal.note_latest_job();

/* Events wait here for whoever handles them. One row per event and subject: `key` is made of ids, never of the payload.
   Not in `public`, because payloads are for engines only; /db has event_queue_summary. */
create table internal.event_queue (
  id uuid not null default public.generate_ulid(),
  name text not null,
  key text not null,
  properties jsonb,
  error text,
  delay bigint, -- nanoseconds after created_at
  created_at timestamptz not null default now(),
  last_attempt timestamptz,
  attempts integer default 0,
  priority integer not null default 100,
  constraint event_queue_pkey primary key (id),
  constraint event_queue_name_key unique (name, key)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index event_queue_pop on internal.event_queue (name, delay, attempts, last_attempt, priority, created_at);

/* Puts one event in the queue; the same event of the same subject that still waits is renewed. */
create function internal.enqueue_event(name text, key text, properties jsonb) returns void
language sql
as $$
  insert into internal.event_queue (name, key, properties)
  values (enqueue_event.name, enqueue_event.key, enqueue_event.properties)
  on conflict on constraint event_queue_name_key do update
    set properties = excluded.properties, created_at = now(), attempts = 0, last_attempt = null, error = null
$$;

create function internal.notify_new_events() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_notify('event_queue_updates', name) from (select distinct name from written) as names;
  return null;
end
$$;
create trigger notify_new_events after insert on internal.event_queue referencing new table as written
  for each statement execute function internal.notify_new_events();
