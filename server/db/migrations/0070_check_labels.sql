-- Which labels checks have, kept as they are written: the filters of /health offer them without reading every check.

/* The labels of a check that is not deleted, those of its canary included; a key it has itself is stronger. */
create table internal.label_pairs (
  key text not null,
  value text not null,
  check_id uuid not null references internal.checks (id) on delete cascade
);
create index label_pairs_check_id_idx on internal.label_pairs (check_id);

create index label_pairs_pair_idx on internal.label_pairs (key, value);

create function internal.labels_of(canary jsonb, own jsonb) returns table (key text, value text)
language sql immutable parallel safe
as $$
  select key, coalesce(value, '')
  from jsonb_each_text(
    (case jsonb_typeof(canary) when 'object' then canary else '{}' end)
    || (case jsonb_typeof(own) when 'object' then own else '{}' end))
$$;

/* Brings the pairs of these checks to what their labels say; what is very long is cut, because an index must hold it. */
create function internal.relabel(ids uuid[]) returns void
language sql
as $$
  delete from internal.label_pairs where check_id = any (ids);
  insert into internal.label_pairs (key, value, check_id)
  select left(label.key, 300), left(label.value, 300), checks.id
  from internal.checks
  join public.canaries on canaries.id = checks.canary_id
  cross join lateral internal.labels_of(canaries.labels, checks.labels) as label
  where checks.id = any (ids) and checks.deleted_at is null
$$;

create function internal.relabel_new_checks() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform internal.relabel(array(select id from after));
  return null;
end
$$;
create trigger relabel_new_checks after insert on internal.checks referencing new table as after
  for each statement execute function internal.relabel_new_checks();

create function internal.relabel_checks() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  changed uuid[] := array(
    select id from after join before using (id)
    where (before.labels, before.canary_id, before.deleted_at is null)
      is distinct from (after.labels, after.canary_id, after.deleted_at is null));
begin
  if cardinality(changed) > 0 then
    perform internal.relabel(changed);
  end if;
  return null;
end
$$;
create trigger relabel_checks after update on internal.checks
  referencing old table as before new table as after
  for each statement execute function internal.relabel_checks();

create function internal.relabel_canaries() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  changed uuid[] := array(
    select checks.id from after join before using (id) join internal.checks on checks.canary_id = after.id
    where before.labels is distinct from after.labels);
begin
  if cardinality(changed) > 0 then
    perform internal.relabel(changed);
  end if;
  return null;
end
$$;
create trigger relabel_canaries after update on public.canaries
  referencing old table as before new table as after
  for each statement execute function internal.relabel_canaries();

select internal.relabel(array(select id from internal.checks));

/* Every key of a label with how many values it has and the first `most` of them, by alphabet; empty values are none. One
   look into the index for each pair there is, however many checks have it. */
create function public.check_label_values(most integer) returns json
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
as $$
  with recursive pairs as (
    (select key, value from internal.label_pairs order by key, value limit 1)
    union all
    select following.* from pairs cross join lateral (
      select label_pairs.key, label_pairs.value from internal.label_pairs
      where (label_pairs.key, label_pairs.value) > (pairs.key, pairs.value)
      order by label_pairs.key, label_pairs.value limit 1
    ) as following
  ), ranked as (
    select key, nullif(value, '') as value,
      row_number() over (partition by key order by value = '', lower(value) collate "C", value collate "C") as place
    from pairs
  ), keys as (
    select key, count(value) as total,
      coalesce(json_agg(value order by place) filter (where value is not null and place <= most), '[]') as values
    from ranked group by key
  )
  select coalesce(json_agg(json_build_object('key', key, 'values', values, 'total', total)
    order by lower(key) collate "C", key collate "C"), '[]') from keys
$$;
