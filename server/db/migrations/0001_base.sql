-- What every later migration stands on: who may execute what, ids, the caller, and the row triggers.
-- `public` is the contract (relations and functions of `/db`); `internal` is ours: nobody but the owner has USAGE on it.

-- A function that nobody was given is nobody's. Holds for every function the owner creates from here on.
alter default privileges revoke execute on functions from public;

create extension pgcrypto schema internal;

create type public.source as enum ('KubernetesCRD', 'ConfigFile', 'UI', 'Topology', 'Push', 'CRDSync');

/* What the product remembers about this database, e.g. the hash of the grants that were applied. */
create table internal.meta (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

/* An id that sorts by the time it was made: 48 bits of milliseconds, 80 random bits, no version bits. In `public`
   because an INSERT that leaves the column out names it in the caller's rights. */
create function public.generate_ulid() returns uuid
language sql volatile parallel safe
as $$
  select (lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)
    || substr(replace(gen_random_uuid()::text, '-', ''), 1, 8))::uuid
$$;

/* The 26 characters of Crockford's base 32 that such an id is written with elsewhere. */
create function public.uuid_to_ulid(id uuid) returns text
language sql immutable strict parallel safe
as $$
  select string_agg(
    substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(bits, position, 5)::bit(5)::integer + 1, 1), '' order by position)
  from (
    select '00' || string_agg(get_byte(uuid_send(uuid_to_ulid.id), i)::bit(8)::text, '' order by i) as bits
    from generate_series(0, 15) as i
  ) as id_bits, generate_series(1, 126, 5) as position
$$;

/* The person a request acts for; NULL is the product itself (engines, migrations). The API sets the claims of each
   transaction, never the caller. */
create function internal.caller() returns uuid
language sql stable parallel safe
as $$
  select case when claim ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then claim::uuid end
  from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'id' as claim) as claims
$$;

/* updated_at is the version of a row: every change moves it, whatever the statement says, and never backwards. */
create function internal.move_updated_at() returns trigger
language plpgsql
as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
  return new;
end
$$;

/* The same for the identity service's columns, which hold UTC without a zone. */
create function internal.move_updated_at_utc() returns trigger
language plpgsql
as $$
begin
  new.updated_at := greatest(clock_timestamp() at time zone 'UTC', old.updated_at + interval '1 microsecond');
  return new;
end
$$;

/* created_by is the caller, whatever the body says, and stays who it was. Without a caller (engines) it is as given. */
create function internal.keep_created_by() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  caller uuid := internal.caller();
begin
  if caller is not null then
    new.created_by := case tg_op when 'INSERT' then caller else old.created_by end;
  end if;
  return new;
end
$$;

/* Gives a table the row triggers its columns ask for: updated_at and created_by. */
create function internal.add_row_triggers(relation regclass) returns void
language plpgsql
as $$
declare
  table_name name := (select relname from pg_class where oid = relation);
begin
  if exists (select from pg_attribute where attrelid = relation and attname = 'updated_at' and not attisdropped) then
    execute format(
      'create trigger %I before update on %s for each row when (old.* is distinct from new.*)
       execute function internal.move_updated_at()', table_name || '_update_updated_at', relation);
  end if;
  if exists (select from pg_attribute where attrelid = relation and attname = 'created_by' and not attisdropped) then
    execute format(
      'create trigger %I before insert or update on %s for each row execute function internal.keep_created_by()',
      table_name || '_created_by', relation);
  end if;
end
$$;
