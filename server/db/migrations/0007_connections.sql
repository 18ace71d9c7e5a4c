-- Connections, and where secrets are kept.

/* Secret values, encrypted with PILOTHOUSE_KEY. Nobody but the owner has any right here; the contract's columns hold
   `***` in their place. `key` is the key inside a jsonb column, else ''. */
create table internal.secrets (
  relation text not null,
  row_id uuid not null,
  column_name text not null,
  key text not null default '',
  value bytea not null,
  updated_at timestamptz not null default now(),
  constraint secrets_pkey primary key (relation, row_id, column_name, key)
);

/* The key, which the API and the engines set for their own transactions and connections. */
create function internal.secret_key() returns text
language plpgsql stable
as $$
declare
  secret text := nullif(current_setting('app.settings.pilothouse_key', true), '');
begin
  if secret is null then
    raise exception 'A secret cannot be stored or read, because this connection to the database has no encryption key.'
      using errcode = 'object_not_in_prerequisite_state',
            hint = 'Set PILOTHOUSE_KEY and start again.';
  end if;
  return secret;
end
$$;

create function internal.store_secret(relation text, row_id uuid, column_name text, key text, value text) returns void
language sql
as $$
  insert into internal.secrets (relation, row_id, column_name, key, value)
  values (store_secret.relation, store_secret.row_id, store_secret.column_name, store_secret.key,
    internal.pgp_sym_encrypt(store_secret.value, internal.secret_key(), 'cipher-algo=aes256'))
  on conflict on constraint secrets_pkey do update set value = excluded.value, updated_at = now()
$$;

/* A stored secret in clear, for the engines; NULL when there is none. Needs the key. */
create function internal.secret_of(relation text, row_id uuid, column_name text, key text default '') returns text
language sql stable
as $$
  select internal.pgp_sym_decrypt(value, internal.secret_key())
  from internal.secrets
  where secrets.relation = secret_of.relation and secrets.row_id = secret_of.row_id
    and secrets.column_name = secret_of.column_name and secrets.key = secret_of.key
$$;

/* Is this text the secret itself? Nothing, the mask, templates and references to where it is kept are not. */
create function internal.is_secret(value text) returns boolean
language sql immutable parallel safe
as $$
  select coalesce(value, '') not in ('', '***') and value !~ '^(secret|configmap|helm|serviceaccount)://'
    and value !~ '^\$\([^)]*\)$' and value !~ '^\{\{.*\}\}$'
$$;

create table public.connections (
  id uuid not null default public.generate_ulid(),
  name text not null,
  namespace text not null default 'default',
  type text not null,
  url text,
  source public.source,
  username text,
  password text,
  certificate text,
  properties jsonb,
  insecure_tls boolean default true,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint connections_pkey primary key (id),
  constraint connections_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index connections_name_namespace_key on public.connections (name, namespace) where deleted_at is null;
create index connections_created_by_idx on public.connections (created_by);

/* The text for a secret column, after the secret itself went to internal.secrets. `***` keeps what is there, an empty
   value or a reference forgets it. */
create function internal.hide_secret(relation text, row_id uuid, column_name text, key text, value text) returns text
language plpgsql
as $$
#variable_conflict use_column
begin
  if internal.is_secret(value) then
    perform internal.store_secret(relation, row_id, column_name, key, value);
    return '***';
  end if;
  if value = '***' then
    if not exists (
      select from internal.secrets as stored
      where stored.relation = hide_secret.relation and stored.row_id = hide_secret.row_id
        and stored.column_name = hide_secret.column_name and stored.key = hide_secret.key
    ) then
      raise exception 'There is no stored % to keep: *** is only what a stored value looks like.',
        coalesce(nullif(key, ''), column_name) using errcode = 'invalid_parameter_value';
    end if;
  else
    delete from internal.secrets as stored
      where stored.relation = hide_secret.relation and stored.row_id = hide_secret.row_id
        and stored.column_name = hide_secret.column_name and stored.key = hide_secret.key;
  end if;
  return value;
end
$$;

/* Hides the password, the certificate, the password inside the URL and the properties that are named like secrets. */
create function internal.hide_connection_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  in_url constant text := '^([a-zA-Z][a-zA-Z0-9+.-]*://[^/?#@:]*:)([^/?#]*)@';
  named constant text :=
    '(password|passphrase|secret|token|bearer|credential|(api|access|private|account|shared|sas)[_-]?key)';
  named_after constant text := '(url|uri|endpoint|name|type|id)$'; -- tokenURL, secretName: about one, not one
  url_password text := (regexp_match(new.url, in_url))[2];
  secret_properties text[] := array(
    select key from jsonb_each(case jsonb_typeof(new.properties) when 'object' then new.properties else '{}' end)
    where key ~* named and key !~* named_after and jsonb_typeof(value) in ('string', 'null'));
  has_secret boolean := internal.is_secret(new.password) or internal.is_secret(new.certificate)
    or internal.is_secret(url_password)
    or exists (select from unnest(secret_properties) as key where internal.is_secret(new.properties ->> key));
  property text;
begin
  if tg_op = 'INSERT' and has_secret and exists (
    select from public.connections as other
    where other.id = new.id
      or (other.name = new.name and other.namespace = new.namespace and other.deleted_at is null)
  ) then
    -- An upsert would store the secret before it is known which row it belongs to.
    raise exception 'A connection of this name or id exists already: update it instead.'
      using errcode = 'unique_violation', constraint = 'connections_name_namespace_key', table = 'connections';
  end if;
  if tg_op = 'UPDATE' and new.id <> old.id then
    raise exception 'The id of a connection cannot change.' using errcode = 'invalid_parameter_value';
  end if;

  new.password := internal.hide_secret('connections', new.id, 'password', '', new.password);
  new.certificate := internal.hide_secret('connections', new.id, 'certificate', '', new.certificate);
  if internal.hide_secret('connections', new.id, 'url', '', url_password) = '***' then
    new.url := regexp_replace(new.url, in_url, '\1***@');
  end if;
  foreach property in array secret_properties loop
    new.properties := jsonb_set(new.properties, array[property], coalesce(to_jsonb(
      internal.hide_secret('connections', new.id, 'properties', property, new.properties ->> property)), 'null'));
  end loop;
  delete from internal.secrets
    where relation = 'connections' and row_id = new.id and column_name = 'properties'
      and key <> all (secret_properties);

  if tg_op = 'UPDATE' and has_secret then
    new.updated_at := null; -- a new secret is a new version although the row looks the same: see move_updated_at
  end if;
  return new;
end
$$;
create trigger connections_secrets before insert or update on public.connections
  for each row execute function internal.hide_connection_secrets();
select internal.add_row_triggers('public.connections');

create function internal.forget_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from internal.secrets where relation = tg_table_name and row_id = old.id;
  return null;
end
$$;
create trigger connections_forget_secrets after delete on public.connections
  for each row execute function internal.forget_secrets();

/* For whoever may see connections: without the URL, everything private masked, references shown. */
create view public.connection_details with (security_invoker = true) as
  select id, name, namespace, type, source, properties, insecure_tls, created_by, created_at, updated_at,
    case when url ~* '^(bark|discord|smtp|gotify|googlechat|ifttt|join|mattermost|matrix|ntfy|opsgenie|pushbullet|pushover|rocketchat|slack|teams|telegram|zulip)://'
      then 'notification' else '' end as category,
    case when username = '' or username ~ '^(secret|configmap|helm|serviceaccount)://' then username else '***' end
      as username,
    case when password = '' or password ~ '^(secret|configmap|helm|serviceaccount)://' then password else '***' end
      as password,
    case when certificate = '' or certificate ~ '^(secret|configmap|helm|serviceaccount)://'
      then certificate else '***' end as certificate
  from public.connections
  where deleted_at is null
  order by created_at;

/* For pickers of people who may not read connections: hence with the owner's rights, and only what names one. */
create view public.connections_list as
  select id, name, namespace, type,
    case when url ~* '^(bark|discord|smtp|gotify|googlechat|ifttt|join|mattermost|matrix|ntfy|opsgenie|pushbullet|pushover|rocketchat|slack|teams|telegram|zulip)://'
      then 'notification' else '' end as category,
    created_by, created_at, updated_at
  from public.connections
  where deleted_at is null;

create table public.logging_backends (
  id uuid not null default public.generate_ulid(),
  name text not null,
  labels jsonb,
  spec jsonb not null,
  source public.source,
  agent_id uuid,
  created_at timestamptz default now(),
  created_by uuid,
  updated_at timestamptz,
  deleted_at timestamptz,
  constraint logging_backends_pkey primary key (id),
  constraint logging_backends_created_by_fkey foreign key (created_by) references public.people (id)
);
create index logging_backends_created_by_idx on public.logging_backends (created_by);
create index logging_backends_agent_id_idx on public.logging_backends (agent_id);
select internal.add_row_triggers('public.logging_backends');
