-- What the audit log costs a write (decision 0106): each row is turned into JSON once, its secrets are looked for with
-- plain searches before anything is taken apart, and only the parts that may hold one are.

/* As in 0001. A regular expression builds its automaton anew for every call, and triggers ask this for every row. */
create or replace function internal.caller() returns uuid
language sql stable parallel safe
as $$
  select case when claim like '________-____-____-____-____________'
    and translate(claim, '0123456789abcdefABCDEF', '') = '----' then claim::uuid end
  from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'id' as claim) as claims
$$;

/* May a secret stand in this JSON? Searches for every word that `without_secrets` acts upon, and is often wrong in saying
   yes, never in saying no. Words with a quote are whole names of keys, or their beginning. */
create function internal.may_hold_secret(words text) returns boolean
language plpgsql immutable parallel safe
as $$
declare
  low constant text := lower(words collate "C");
begin
  return strpos(low, 'key') > 0 or strpos(low, 'pass') > 0 or strpos(low, 'token') > 0 or strpos(low, 'secret') > 0
    or strpos(low, '"header') > 0 or strpos(low, '"env"') > 0 or strpos(low, '"data"') > 0 or strpos(low, '"params"') > 0
    or strpos(low, '"artifacts"') > 0 or strpos(low, 'pwd') > 0 or strpos(low, 'credential') > 0
    or strpos(low, '"authorization"') > 0 or strpos(low, '"cookie"') > 0 or strpos(low, '"dsn"') > 0
    or strpos(low, '"cert') > 0 or strpos(low, '_hash"') > 0 or strpos(low, 'bearer') > 0 or strpos(low, 'basic') > 0
    or strpos(low, 'sig') > 0 or (strpos(low, '://') > 0 and strpos(replace(low, '"@', '"'), '@') > 0);
end
$$;

/* A text without the passwords inside addresses, connection strings and scripts. An address that is the whole text may
   have blanks in it, which end nothing there. */
create function internal.without_secrets_in_text(words text) returns text
language plpgsql immutable parallel safe
as $$
declare
  low constant text := lower(words collate "C");
begin
  if strpos(low, '://') > 0 and strpos(low, '@') > 0 then
    words := regexp_replace(words, '^(\s*[a-z][a-z0-9+.-]*://)[^/?#\n]*@', '\1***@', 'i');
    words := regexp_replace(words, '(\m[a-z][a-z0-9+.-]*://)[^/@\s''"]+@', '\1***@', 'gi');
  end if;
  if strpos(low, '=') > 0 then
    if words ~* '^\s*[a-z][a-z0-9+.-]*://[^\n]*$' then
      words := regexp_replace(words,
        '([?&][\w-]*(?:password|passwd|pwd|secret|token|api_?key|access_?key|sig|signature)=)[^&#]+', '\1***', 'gi');
    end if;
    words := regexp_replace(words, '([?&;\s]|^)([\w-]*(?:password|passwd|pwd|secret|token|api_?key|access_?key|sig|signature)\s*=\s*)("[^"]*"|''[^'']*''|[^\s&;''"]+)',
      '\1\2***', 'gi');
  end if;
  if strpos(low, 'bearer') > 0 or strpos(low, 'basic') > 0 then
    words := regexp_replace(words, '\m(bearer|basic)\s+[\w.~+/=-]{6,}', '\1 ***', 'gi');
  end if;
  return words;
end
$$;

/* Does the `name` beside a `value` say that it is a secret? Regular expressions are dear, so they are asked last. */
create function internal.is_named_secret(whole jsonb) returns boolean
language plpgsql immutable parallel safe
as $$
begin
  return internal.may_hold_secret((whole -> 'name')::text) and internal.names_secret(whole ->> 'name');
end
$$;

/* As in 0089. Only what may hold a secret is looked into and only what held one is put in anew, without a query for each
   level: that would cost more than all the rest of the write. What is long is put together by one. */
create or replace function internal.without_secrets(value jsonb, hides boolean default false) returns jsonb
language plpgsql immutable parallel safe
as $$
declare
  whole constant jsonb := value;
  keys jsonb;
  tells boolean; -- may one of the keys say that a secret stands under it?
  key text;
  part jsonb;
  shown jsonb;
begin
  case jsonb_typeof(whole)
  when 'string' then
    if not hides then
      return to_jsonb(internal.without_secrets_in_text(whole #>> '{}'));
    elsif strpos(whole::text, '://') = 0 and strpos(whole::text, '$(') = 0 and strpos(whole::text, '{{') = 0 then
      return case when whole = '""' then whole else '"***"' end;
    end if;
    return case when internal.is_secret(whole #>> '{}') then '"***"' else whole end;
  when 'number', 'boolean' then
    return case when hides then '"***"' else whole end;
  when 'array' then
    if jsonb_array_length(whole) > 30 then
      return (select jsonb_agg(internal.without_secrets(each.part, hides) order by place)
        from jsonb_array_elements(whole) with ordinality as each (part, place));
    end if;
    for place in 0 .. jsonb_array_length(whole) - 1 loop
      part := whole -> place;
      if hides or internal.may_hold_secret(part::text) then
        value := jsonb_set(value, array[place::text], internal.without_secrets(part, hides));
      end if;
    end loop;
  when 'object' then
    keys := jsonb_path_query_array(whole, '$.keyvalue().key');
    if jsonb_array_length(keys) > 30 then
      return (select jsonb_object_agg(each.key, internal.without_secrets(jsonb_build_object(each.key, each.part)
          || case each.key when 'value' then jsonb_build_object('name', whole -> 'name') else '{}' end, hides) -> each.key)
        from jsonb_each(whole) as each (key, part));
    end if;
    tells := not hides and internal.may_hold_secret(keys::text);
    for place in 0 .. jsonb_array_length(keys) - 1 loop
      key := keys ->> place;
      part := whole -> key;
      if key = 'valueFrom' or (hides and key = 'name') then
        continue;
      elsif hides or (tells and (internal.names_secret(key) or key ~* '^(env|headers?|params|data|artifacts)$'))
        or (key = 'value' and internal.is_named_secret(whole)) then
        shown := internal.without_secrets(part, true);
      elsif jsonb_typeof(part) = 'string' then
        shown := to_jsonb(internal.without_secrets_in_text(part #>> '{}'));
      elsif internal.may_hold_secret(part::text) then
        shown := internal.without_secrets(part);
      else
        continue;
      end if;
      if shown <> part then
        value := jsonb_set(value, array[key], shown);
      end if;
    end loop;
  else null;
  end case;
  return value;
end
$$;

/* What of a row goes into the log. Most rows hold nothing that could be a secret, which is quickly seen; `plain` are
   columns that cannot, because of their types. */
create function internal.audit_image(part jsonb, whole jsonb, secrets text[], plain text[]) returns jsonb
language plpgsql immutable parallel safe
as $$
declare
  name text;
  telling jsonb;
begin
  foreach name in array secrets loop
    if part ->> name is not null then
      part := jsonb_set(part, array[name], '"***"');
    end if;
  end loop;
  if part ? 'value' and internal.is_named_secret(whole) then
    part := jsonb_set(part, '{value}', '"***"');
  end if;
  telling := part - plain;
  if internal.may_hold_secret(telling::text) then
    return part || internal.without_secrets(telling);
  end if;
  return part;
end
$$;

/* The primary key of a row as text; of several columns, at most four, with slashes between. Without a sub-select, so that
   it becomes a part of the statement that asks. */
create or replace function internal.audit_key(whole jsonb, keys text[]) returns text
language sql stable parallel safe
as $$
  select concat_ws('/', whole ->> keys[1], whole ->> keys[2], whole ->> keys[3], whole ->> keys[4])
$$;

create function internal.audit_person(id text) returns text
language plpgsql stable strict
as $$
begin
  return (select name from public.people where people.id = audit_person.id::uuid);
end
$$;

/* What people call the row. */
create or replace function internal.audit_name(whole jsonb) returns text
language sql stable
as $$
  select coalesce(whole ->> 'name', whole #>> '{traits,email}', internal.audit_person(whole ->> 'person_id'))
$$;

/* As in 0089; `offset 0` has a row turned into JSON once rather than wherever it is mentioned. Both rows of an update have
   the same columns, and JSON keeps those in one order: they are compared side by side. */
create or replace function internal.audit_write() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  actor constant uuid := internal.caller();
  kind constant text := tg_argv[0];
  keys constant text[] := string_to_array(tg_argv[1], ',');
  secrets constant text[] := string_to_array(tg_argv[2], ',');
  plain constant text[] := coalesce(string_to_array(tg_argv[3], ','), '{}');
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
      internal.audit_name(whole), internal.audit_image(jsonb_strip_nulls(whole), whole, secrets, plain), claims ->> 'request'
    from (select to_jsonb(added) as whole from added offset 0) as written;
  elsif tg_op = 'DELETE' then
    insert into public.audit_log (actor_id, actor, via, client, action, kind, record_id, record, before, request_id)
    select actor, actor_name, claims ->> 'via', claims ->> 'client', 'delete', kind, internal.audit_key(whole, keys),
      internal.audit_name(whole), internal.audit_image(jsonb_strip_nulls(whole), whole, secrets, plain), claims ->> 'request'
    from (select to_jsonb(removed) as whole from removed offset 0) as written;
  else
    insert into public.audit_log (actor_id, actor, via, client, action, kind, record_id, record, before, after, request_id)
    select actor, actor_name, claims ->> 'via', claims ->> 'client',
      case when was ->> 'deleted_at' is null and diff.after ->> 'deleted_at' is not null then 'delete'
        when was ->> 'deleted_at' is not null and now_is ->> 'deleted_at' is null then 'restore'
        else 'update' end,
      kind, coalesce(new_key, old_key), internal.audit_name(coalesce(now_is, was)),
      internal.audit_image(diff.before, was, secrets, plain), internal.audit_image(diff.after, now_is, secrets, plain),
      claims ->> 'request'
    from (
      select internal.audit_key(was, keys) as old_key, was
      from (select to_jsonb(removed) as was from removed offset 0) as old_json offset 0
    ) as old_rows
    full join (
      select internal.audit_key(now_is, keys) as new_key, now_is
      from (select to_jsonb(added) as now_is from added offset 0) as new_json offset 0
    ) as new_rows on old_key = new_key
    cross join lateral (
      select jsonb_object_agg(coalesce(key, new_name), old_value) filter (where was is not null) as before,
        jsonb_object_agg(coalesce(key, new_name), new_value) filter (where now_is is not null) as after
      from rows from (jsonb_each(was), jsonb_each(now_is)) as both_rows (key, old_value, new_name, new_value)
      where old_value is distinct from new_value and coalesce(key, new_name) <> 'updated_at'
    ) as diff
    where diff.before is not null or diff.after is not null;
  end if;
  return null;
end
$$;
drop function internal.audit_image(jsonb, jsonb, text[]);

/* As in 0089, and tells the trigger which columns hold no secret, whatever stands in them. */
create or replace function internal.audit_table(relation regclass, kind text default null, secrets text[] default '{}')
returns void
language plpgsql
as $$
declare
  keys text;
  plain text;
  called text := coalesce(kind, (select relname from pg_class where oid = relation));
  arguments text;
begin
  -- The primary key; a table without one has a unique index that takes its place.
  select string_agg(a.attname, ',' order by k.place) into keys
  from (select indkey from pg_index where indrelid = relation and indisunique and indpred is null and indexprs is null
        order by indisprimary desc, indexrelid limit 1) as i,
    unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
  join pg_attribute a on a.attrelid = relation and a.attnum = k.attnum;
  if keys is null or cardinality(string_to_array(keys, ',')) > 4 then
    raise exception '% has no key of at most four columns, so its rows cannot be told apart in the audit log.', relation;
  end if;
  select coalesce(string_agg(attname, ',' order by attnum), '') into plain
  from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = relation and attnum > 0 and not attisdropped and (typtype = 'e' or atttypid = any (
      '{uuid,timestamptz,timestamp,date,interval,boolean,smallint,integer,bigint,real,float8,numeric}'::regtype[]))
    and not attname = any (secrets) and not internal.may_hold_secret(to_jsonb(attname)::text);
  arguments := format('%L, %L, %L, %L', called, keys, array_to_string(secrets, ','), plain);
  execute format('drop trigger if exists audit_added on %s', relation);
  execute format('drop trigger if exists audit_changed on %s', relation);
  execute format('drop trigger if exists audit_removed on %s', relation);
  execute format('create trigger audit_added after insert on %s referencing new table as added
    for each statement execute function internal.audit_write(%s)', relation, arguments);
  execute format('create trigger audit_changed after update on %s referencing old table as removed new table as added
    for each statement execute function internal.audit_write(%s)', relation, arguments);
  execute format('create trigger audit_removed after delete on %s referencing old table as removed
    for each statement execute function internal.audit_write(%s)', relation, arguments);
end
$$;

/* Again for every table that has it, as it was given. */
select internal.audit_table(tgrelid, given[1], string_to_array(given[3], ','))
from pg_trigger cross join lateral string_to_array(encode(tgargs, 'escape'), '\000') as given
where tgfoid = 'internal.audit_write'::regproc and tgname = 'audit_added';
