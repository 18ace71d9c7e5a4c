-- Users and teams: who may not be taken away, what ends with an account, when a token was used.

/* A name is free again once its team is deleted. */
drop index public.team_name_key;
create unique index team_name_key on public.teams (name) where deleted_at is null;

alter table internal.access_tokens add column last_used_at timestamptz;

/* Tokens end with the account, and for good: one that is active again later begins without any. */
create function internal.end_tokens_of_identity() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from internal.access_tokens where person_id = old.id;
  return null;
end
$$;
create trigger identity_tokens_removed after delete on public.identities
for each row execute function internal.end_tokens_of_identity();
create trigger identity_tokens_ended after update of state on public.identities
for each row when (new.state is distinct from 'active') execute function internal.end_tokens_of_identity();

/* Whoever acts through the API takes nothing of this kind from himself, and never from the last active administrator.
   One at a time, so that two administrators cannot take each other away. Arguments: the column with the person, and
   what is done, in words. Without a caller (engines, the owner) everything is as it is asked for. */
create function internal.keep_an_admin() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  caller uuid := internal.caller();
  person uuid := (to_jsonb(old) ->> tg_argv[0])::uuid;
begin
  if caller is not null then
    if person = caller then
      raise exception 'You cannot % yourself: ask another administrator.', tg_argv[1] using errcode = 'PT403';
    end if;
    perform pg_advisory_xact_lock(7072454091);
    if internal.is_active_admin(person) and not exists (
      select from internal.role_grants as others
      where others.role = 'admin' and others.person_id <> person and internal.is_active_admin(others.person_id)
    ) then
      raise exception 'You cannot % the last administrator: make somebody else one first.', tg_argv[1]
        using errcode = 'PT409';
    end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

create function internal.is_active_admin(person uuid) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from internal.role_grants as grants
    join public.identities on identities.id = grants.person_id and identities.state = 'active'
    join public.people on people.id = grants.person_id and people.deleted_at is null
    where grants.person_id = person and grants.role = 'admin')
$$;

create trigger keep_an_admin before delete on public.identities
for each row execute function internal.keep_an_admin('id', 'delete');
create trigger keep_an_admin_active before update of state on public.identities
for each row when (new.state is distinct from 'active' and old.state = 'active')
execute function internal.keep_an_admin('id', 'deactivate');
create trigger keep_an_admin before delete or update of role, person_id on internal.role_grants
for each row when (old.role = 'admin') execute function internal.keep_an_admin('person_id', 'take the role admin from');
create trigger keep_an_admin before delete on public.people
for each row execute function internal.keep_an_admin('id', 'delete');
create trigger keep_an_admin_there before update of deleted_at on public.people
for each row when (new.deleted_at is not null and old.deleted_at is null)
execute function internal.keep_an_admin('id', 'delete');
