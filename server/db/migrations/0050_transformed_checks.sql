-- Which check a transformed check came from: it goes when its parent goes.

alter table internal.checks
  add column transformed_from uuid constraint checks_transformed_from_fkey
    references internal.checks (id) on delete cascade;
create index checks_transformed_from_idx on internal.checks (transformed_from) where transformed_from is not null;

/* A check that is deleted takes the checks its transform made with it. The trigger fires for its own update as well, and
   for statements that touch no row: it writes only when there is something to take along. */
create function internal.soft_delete_transformed() returns trigger
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
create trigger transformed_deleted_trigger after update on internal.checks
  referencing old table as before new table as after
  for each statement execute function internal.soft_delete_transformed();
