-- The audit log: who did what to which record, from where, and what it was before. Rows are added by the trigger below
-- for everything that people write, and by the identity service for sign-ins; nobody changes or removes one.

create table public.audit_log (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  actor_id uuid, -- without a foreign key: the log outlives whom it names
  actor text,
  via text,
  client text,
  action text not null,
  kind text not null,
  record_id text,
  record text,
  before jsonb,
  after jsonb,
  request_id text,
  constraint audit_log_pkey primary key (id)
);
create index audit_log_at_idx on public.audit_log (at, id);
create index audit_log_actor_id_idx on public.audit_log (actor_id, at, id) where actor_id is not null;
create index audit_log_kind_idx on public.audit_log (kind, at, id);
create index audit_log_record_id_idx on public.audit_log (record_id, at, id) where record_id is not null;

-- Of failed sign-ins only so many in an hour are kept, for each account and for each address.
create index audit_log_failed_record_idx on public.audit_log (record, at) where action = 'sign-in-failed';
create index audit_log_failed_client_idx on public.audit_log (client, at) where action = 'sign-in-failed';

/* Whatever the role, also the owner: rows are added, and go when they are old (clean_audit_log). */
create function internal.keep_audit_log() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' and current_setting('pilothouse.cleans_audit_log', true) = 'on' then
    return null;
  end if;
  raise exception 'The audit log can only be added to.' using errcode = 'insufficient_privilege';
end
$$;
create trigger keep_audit_log before update or delete or truncate on public.audit_log
  for each statement execute function internal.keep_audit_log();

/* Removes what is older; never the last 90 days, since whoever writes properties chooses the number. */
create function internal.clean_audit_log(days integer) returns integer
language plpgsql
as $$
declare
  cleaned integer;
begin
  perform set_config('pilothouse.cleans_audit_log', 'on', true);
  delete from public.audit_log where at < now() - make_interval(days => greatest(days, 90));
  get diagnostics cleaned = row_count;
  perform set_config('pilothouse.cleans_audit_log', '', true);
  return cleaned;
end
$$;

/* Is what stands under this name a secret, whatever the record? The same words as where specs are shown. */
create function internal.names_secret(name text) returns boolean
language sql immutable parallel safe
as $$
  select name ~* ('pass(word|wd|phrase)?$|pwd|secret|token(?!url)|credential|api_?key|access_?key|private_?key|session_?key'
    '|_hash$|^(key|cert|certificate|authorization|cookie|dsn)$')
$$;

/* A value without its secrets: what stands under a telling name, every inline value of headers and environments, and
   passwords inside addresses, connection strings and scripts. References to where a secret is kept stay. */
create function internal.without_secrets(value jsonb, hides boolean default false) returns jsonb
language plpgsql immutable parallel safe
as $$
declare
  words text;
begin
  case jsonb_typeof(value)
  when 'string' then
    words := value #>> '{}';
    if hides then
      return case when internal.is_secret(words) then '"***"' else value end;
    end if;
    words := regexp_replace(words, '(\m[a-z][a-z0-9+.-]*://)[^/@\s''"]+@', '\1***@', 'gi');
    words := regexp_replace(words, '([?&;\s]|^)([\w-]*(?:password|passwd|pwd|secret|token|api_?key|access_?key|sig|signature)\s*=\s*)("[^"]*"|''[^'']*''|[^\s&;''"]+)',
      '\1\2***', 'gi');
    return to_jsonb(regexp_replace(words, '\m(bearer|basic)\s+[\w.~+/=-]{6,}', '\1 ***', 'gi'));
  when 'number', 'boolean' then
    return case when hides then '"***"' else value end;
  when 'array' then
    return (select coalesce(jsonb_agg(internal.without_secrets(part, hides) order by place), '[]')
      from jsonb_array_elements(value) with ordinality as parts (part, place));
  when 'object' then
    return (select coalesce(jsonb_object_agg(key, case
        when key = 'valueFrom' or (key = 'name' and hides) then part
        else internal.without_secrets(part, hides or internal.names_secret(key)
          or key ~* '^(env|headers?|params|data|artifacts)$'
          or (key = 'value' and internal.names_secret(value ->> 'name')))
      end), '{}')
      from jsonb_each(value) as parts (key, part));
  else
    return value;
  end case;
end
$$;

/* What of a row goes into the log. Most rows hold nothing that could be a secret, which is quickly seen. */
create function internal.audit_image(part jsonb, whole jsonb, secrets text[]) returns jsonb
language plpgsql immutable parallel safe
as $$
declare
  name text;
begin
  foreach name in array secrets loop
    if part ->> name is not null then
      part := jsonb_set(part, array[name], '"***"');
    end if;
  end loop;
  if part ? 'value' and internal.names_secret(whole ->> 'name') then
    part := jsonb_set(part, '{value}', '"***"');
  end if;
  if part::text ~* ('pass|pwd|secret|token|credential|key|_hash"|"cert|"authorization|"cookie|"dsn|"env"|"headers?"|"params"'
      '|"data"|"artifacts"|://[^/"]*@|bearer|basic|sig') then
    return internal.without_secrets(part);
  end if;
  return part;
end
$$;

/* The primary key of a row as text; of several columns with slashes between. */
create function internal.audit_key(whole jsonb, keys text[]) returns text
language sql immutable parallel safe
as $$
  select case cardinality(keys) when 1 then whole ->> keys[1]
    else (select string_agg(whole ->> key, '/' order by place) from unnest(keys) with ordinality as parts (key, place)) end
$$;

/* What people call the row. */
create function internal.audit_name(whole jsonb) returns text
language sql stable
as $$
  select coalesce(whole ->> 'name', whole #>> '{traits,email}',
    case when whole ? 'person_id' then (select name from public.people where id = (whole ->> 'person_id')::uuid) end)
$$;

/* One row of the log for each row that a statement of a person wrote. The claims of the transaction say who it is;
   without a caller it was the product itself, whose work is in the job history. Arguments: what the records are called,
   the columns of the key, the columns that are secrets. An update keeps the columns that changed. */
create function internal.audit_write() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  actor constant uuid := internal.caller();
  kind constant text := tg_argv[0];
  keys constant text[] := string_to_array(tg_argv[1], ',');
  secrets constant text[] := string_to_array(tg_argv[2], ',');
  claims jsonb;
  actor_name text;
begin
  if actor is null then
    return null;
  end if;
  claims := current_setting('request.jwt.claims', true)::jsonb;
  actor_name := (select name from public.people where id = actor);
  if tg_op = 'INSERT' then
    insert into public.audit_log (actor_id, actor, via, client, action, kind, record_id, record, after, request_id)
    select actor, actor_name, claims ->> 'via', claims ->> 'client', 'insert', kind, internal.audit_key(whole, keys),
      internal.audit_name(whole), internal.audit_image(jsonb_strip_nulls(whole), whole, secrets), claims ->> 'request'
    from (select to_jsonb(added) as whole from added) as written;
  elsif tg_op = 'DELETE' then
    insert into public.audit_log (actor_id, actor, via, client, action, kind, record_id, record, before, request_id)
    select actor, actor_name, claims ->> 'via', claims ->> 'client', 'delete', kind, internal.audit_key(whole, keys),
      internal.audit_name(whole), internal.audit_image(jsonb_strip_nulls(whole), whole, secrets), claims ->> 'request'
    from (select to_jsonb(removed) as whole from removed) as written;
  else
    insert into public.audit_log (actor_id, actor, via, client, action, kind, record_id, record, before, after, request_id)
    select actor, actor_name, claims ->> 'via', claims ->> 'client',
      case when was ->> 'deleted_at' is null and diff.after ->> 'deleted_at' is not null then 'delete'
        when was ->> 'deleted_at' is not null and now_is ->> 'deleted_at' is null then 'restore'
        else 'update' end,
      kind, coalesce(new_key, old_key), internal.audit_name(coalesce(now_is, was)),
      internal.audit_image(diff.before, was, secrets), internal.audit_image(diff.after, now_is, secrets),
      claims ->> 'request'
    from (select internal.audit_key(to_jsonb(removed), keys) as old_key, to_jsonb(removed) as was from removed) as old_rows
    full join (select internal.audit_key(to_jsonb(added), keys) as new_key, to_jsonb(added) as now_is from added) as new_rows
      on old_key = new_key
    cross join lateral (
      select jsonb_object_agg(key, was -> key) filter (where was is not null) as before,
        jsonb_object_agg(key, now_is -> key) filter (where now_is is not null) as after
      from jsonb_object_keys(coalesce(now_is, was)) as key
      where key <> 'updated_at' and was -> key is distinct from now_is -> key
    ) as diff
    where diff.before is not null or diff.after is not null;
  end if;
  return null;
end
$$;

/* From here on, what people write in this table is in the log, under the name of the table unless another is given.
   `secrets` are columns that hold one whatever they are called. May be called again. */
create function internal.audit_table(relation regclass, kind text default null, secrets text[] default '{}') returns void
language plpgsql
as $$
declare
  keys text;
  called text := coalesce(kind, (select relname from pg_class where oid = relation));
begin
  -- The primary key; a table without one has a unique index that takes its place.
  select string_agg(a.attname, ',' order by k.place) into keys
  from (select indkey from pg_index where indrelid = relation and indisunique and indpred is null and indexprs is null
        order by indisprimary desc, indexrelid limit 1) as i,
    unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
  join pg_attribute a on a.attrelid = relation and a.attnum = k.attnum;
  if keys is null then
    raise exception '% has no key, so its rows cannot be told apart in the audit log.', relation;
  end if;
  execute format('drop trigger if exists audit_added on %s', relation);
  execute format('drop trigger if exists audit_changed on %s', relation);
  execute format('drop trigger if exists audit_removed on %s', relation);
  execute format('create trigger audit_added after insert on %s referencing new table as added
    for each statement execute function internal.audit_write(%L, %L, %L)',
    relation, called, keys, array_to_string(secrets, ','));
  execute format('create trigger audit_changed after update on %s referencing old table as removed new table as added
    for each statement execute function internal.audit_write(%L, %L, %L)',
    relation, called, keys, array_to_string(secrets, ','));
  execute format('create trigger audit_removed after delete on %s referencing old table as removed
    for each statement execute function internal.audit_write(%L, %L, %L)',
    relation, called, keys, array_to_string(secrets, ','));
end
$$;

select internal.audit_table(name::regclass) from unnest(array[
  'public.agents', 'public.canaries', 'internal.checks', 'public.check_component_relationships',
  'public.check_config_relationships', 'public.components', 'public.config_items', 'public.config_scrapers',
  'public.logging_backends', 'public.notification_silences', 'public.notifications',
  'public.people', 'public.permissions', 'public.playbooks', 'public.properties', 'public.team_components', 'public.team_members', 'public.teams',
  'public.topologies'
]) as name;
select internal.audit_table('public.identities', secrets => '{metadata_admin}');
select internal.audit_table('public.connections', secrets => '{password,certificate}');
select internal.audit_table('internal.role_grants', kind => 'people_roles');
select internal.audit_table('internal.access_tokens', secrets => '{value}');
select internal.audit_table('internal.heartbeats', secrets => '{token}');
