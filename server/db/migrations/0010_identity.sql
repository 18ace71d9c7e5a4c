-- The built-in identity service (specification 1 §2 and §7, facts of the identity service's own tables are private):
-- passwords, sessions, self-service flows and failed sign-ins. Nobody but the owner has any right here, and no token is
-- stored in clear: every *_hash of a token is the SHA-256 of 256 random bits.

create table internal.credentials (
  identity_id uuid primary key references public.identities (id) on delete cascade,
  password_hash text not null, -- argon2id in PHC form
  changed_at timestamptz not null default now()
);

create table internal.sessions (
  id uuid primary key,
  identity_id uuid not null references public.identities (id) on delete cascade,
  token_hash bytea not null,
  method text not null check (method in ('password', 'link_recovery')),
  issued_at timestamptz not null,
  authenticated_at timestamptz not null,
  expires_at timestamptz not null,
  constraint sessions_token_hash_key unique (token_hash)
);
create index sessions_identity_id_idx on internal.sessions (identity_id);
create index sessions_expires_at_idx on internal.sessions (expires_at);

-- Self-service flows, and three things that live and die like one: the first run's set-up link ('setup'), a recovery
-- link ('recovery') and an error a browser was sent to read ('error').
create table internal.flows (
  id uuid primary key,
  kind text not null check (kind in ('login', 'registration', 'settings', 'recovery', 'setup', 'error')),
  state text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  request_url text not null,
  return_to text,
  refresh boolean not null default false,
  requested_aal text not null default 'aal1',
  csrf_hash bytea,
  secret_hash bytea,
  identity_id uuid references public.identities (id) on delete cascade,
  ui jsonb not null,
  updated_at timestamptz not null default now()
);
create index flows_expires_at_idx on internal.flows (expires_at);
create index flows_identity_id_idx on internal.flows (identity_id) where identity_id is not null;
create index flows_secret_hash_idx on internal.flows (secret_hash) where secret_hash is not null;

-- Failed sign-ins of the last minutes, per account (SHA-256 of the e-mail) and per client address (likewise).
create table internal.login_attempts (
  id bigint generated always as identity primary key,
  account bytea not null,
  client bytea,
  attempted_at timestamptz not null
);
create index login_attempts_account_idx on internal.login_attempts (account, attempted_at);
create index login_attempts_client_idx on internal.login_attempts (client, attempted_at);
create index login_attempts_attempted_at_idx on internal.login_attempts (attempted_at);

-- The e-mail is the password identifier: one account per address, whatever its case, also when it is written by /db.
create unique index identities_email_key on public.identities (lower(traits ->> 'email'));

-- A presented access token is hashed once and found by its hash.
create index access_tokens_value_idx on internal.access_tokens (value);

-- people follows identities (same id): name is "first last", or the e-mail where both are empty; deleting an identity
-- soft-deletes the person and takes its roles away.
create function internal.sync_identity_to_people() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  full_name text;
begin
  if tg_op = 'DELETE' then
    update public.people set deleted_at = now() where id = old.id and deleted_at is null;
    delete from internal.role_grants where person_id = old.id;
    return old;
  end if;
  full_name := btrim(concat_ws(' ', nullif(btrim(new.traits #>> '{name,first}'), ''),
                                    nullif(btrim(new.traits #>> '{name,last}'), '')));
  insert into public.people (id, name, email)
  values (new.id, coalesce(nullif(full_name, ''), new.traits ->> 'email', ''), new.traits ->> 'email')
  on conflict (id) do update
    set name = excluded.name, email = excluded.email,
        deleted_at = case tg_op when 'INSERT' then null else people.deleted_at end;
  return new;
end
$$;

create trigger identity_to_people
after insert or delete or update of traits on public.identities
for each row execute function internal.sync_identity_to_people();

-- Whoever is made inactive is signed out everywhere, and open recovery links of theirs are void.
create function internal.end_sessions_of_inactive() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from internal.sessions where identity_id = new.id;
  delete from internal.flows where identity_id = new.id;
  return new;
end
$$;

create trigger identity_deactivated
after update of state on public.identities
for each row when (new.state is distinct from 'active')
execute function internal.end_sessions_of_inactive();

create function internal.note_identity_state_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.state_changed_at := now() at time zone 'UTC';
  return new;
end
$$;

create trigger identity_state_changed
before update of state on public.identities
for each row when (new.state is distinct from old.state)
execute function internal.note_identity_state_change();

revoke all on internal.credentials, internal.sessions, internal.flows, internal.login_attempts from public;
