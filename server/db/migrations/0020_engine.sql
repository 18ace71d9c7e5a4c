-- What the engines need among themselves: who is alive, which canaries changed, which job is due when.

/* The control planes that are running. Each holds the advisory lock of its key for as long as it lives: a listed one whose
   lock is free is dead, and its claims are taken over. */
create table internal.control_planes (
  id text primary key,
  lock_key integer not null unique,
  hostname text not null,
  pid integer not null,
  started_at timestamptz not null default now()
);
create sequence internal.control_plane_keys as integer cycle;

/* Canaries whose checks have to be brought in step. Written in the transaction that changes a canary, taken by whichever
   control plane is first. */
create table internal.canaries_to_sync (
  canary_id uuid primary key references public.canaries (id) on delete cascade,
  changed_at timestamptz not null default now()
);

create function internal.sync_changed_canaries() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into internal.canaries_to_sync (canary_id) select id from after order by id
      on conflict (canary_id) do update set changed_at = now();
  else
    -- The update of a row already listed is not idle: it makes a sync that is about to take the row wait for us.
    insert into internal.canaries_to_sync (canary_id)
      select after.id from after join before using (id)
      where (after.spec, after.labels, after.annotations, after.name, after.namespace, after.agent_id, after.deleted_at)
        is distinct from (before.spec, before.labels, before.annotations, before.name, before.namespace,
                          before.agent_id, before.deleted_at)
      order by after.id
      on conflict (canary_id) do update set changed_at = now();
  end if;
  if found then
    perform pg_notify('pilothouse_canaries', '');
  end if;
  return null;
end
$$;
create trigger sync_new_canaries after insert on public.canaries referencing new table as after
  for each statement execute function internal.sync_changed_canaries();
create trigger sync_changed_canaries after update on public.canaries
  referencing old table as before new table as after
  for each statement execute function internal.sync_changed_canaries();
insert into internal.canaries_to_sync (canary_id) select id from public.canaries;

/* The engines' own jobs and when each is due: one row each, taken by whichever control plane is first. */
create table internal.engine_jobs (
  name text primary key,
  next_run timestamptz not null
);
