-- Accounts elsewhere that somebody linked go with the account they were a way into: whoever has them may come back as
-- somebody new. Accounts that a hosted provider keeps (provider null) stay: whoever was removed there stays out.

create function internal.end_links_of_identity() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from internal.linked_accounts where person_id = old.id and provider is not null;
  return null;
end
$$;
create trigger identity_links_removed after delete on public.identities
for each row execute function internal.end_links_of_identity();
