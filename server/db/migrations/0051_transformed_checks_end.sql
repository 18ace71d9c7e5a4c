-- An update of no row fires a trigger for statements too: without asking first, 0050's fired itself for ever.

create or replace function internal.soft_delete_transformed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from after join before using (id) where before.deleted_at is null and after.deleted_at is not null)
  then
    update internal.checks as child set deleted_at = after.deleted_at
    from after join before using (id)
    where child.transformed_from = after.id and child.deleted_at is null
      and before.deleted_at is null and after.deleted_at is not null;
  end if;
  return null;
end
$$;
