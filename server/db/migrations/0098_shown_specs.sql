/* Specs as they are shown to those who may not write them (decision 0105): the relations of `public` that have a column
   `spec`, under the same names, with `***` where a secret stands. `/db` reads here for such callers, so that a filter, an
   order or an embed meets the masked value too. The views run with their reader's rights. */
create schema if not exists shown;

/* With the owner's rights, because readers have none on the functions that it asks. */
create function internal.shown_spec(spec jsonb) returns jsonb
language plpgsql immutable strict parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return internal.without_secrets(spec);
end
$$;

/* What a record lets the caller change: whoever edits a spec has to read it. */
create function internal.lent_to_change(kind text) returns uuid[]
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
  select array_agg(resource_id) from (
    select record.resource_id from internal.records_of(internal.caller()) as record
    where record.kind = lent_to_change.kind and internal.covers(record.action, 'update')
    group by record.resource_id having not bool_or(record.deny)
  ) as lent
$$;

/* Makes the view for a relation, again after its columns changed. `readable`: when a row's spec is shown as it is. */
create function internal.show_without_secrets(relation name, readable text default 'false') returns void
language plpgsql
as $$
declare
  columns text;
begin
  select string_agg(case attname when 'spec' then format('case when %s then spec else internal.shown_spec(spec) end as spec',
      readable) else quote_ident(attname) end, ', ' order by attnum) into columns
  from pg_attribute where attrelid = format('public.%I', relation)::regclass and attnum > 0 and not attisdropped;
  execute format('drop view if exists shown.%I', relation);
  execute format('create view shown.%1$I with (security_invoker = true) as select %2$s from public.%1$I', relation, columns);
end
$$;
select internal.show_without_secrets('canaries', $$id = any ((select internal.lent_to_change('canary'))::uuid[])$$);
select internal.show_without_secrets('checks', $$id = any ((select internal.lent_to_change('check'))::uuid[])
  or canary_id = any ((select internal.lent_to_change('canary'))::uuid[])$$);
select internal.show_without_secrets('playbooks', $$id = any ((select internal.lent_to_change('playbook'))::uuid[])$$);
select internal.show_without_secrets('config_scrapers');
select internal.show_without_secrets('config_scrapers_with_status');
select internal.show_without_secrets('topologies');
select internal.show_without_secrets('topologies_with_status');
select internal.show_without_secrets('logging_backends');
