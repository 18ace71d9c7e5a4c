-- The list of users.

/* The users page in one relation (specification 3 §2.6): sorted, searched and paged by the database. `role` is the
   highest, the one that counts (specification 1 §6); somebody invited who has no password yet has the state `invited`. */
create view public.identities_summary with (security_invoker = true) as
  select identities.id, people.name,
    coalesce(identities.traits #>> '{name,first}', '') as first_name,
    coalesce(identities.traits #>> '{name,last}', '') as last_name,
    coalesce(identities.traits ->> 'email', '') as email,
    people.avatar, held.roles,
    case
      when 'admin' = any (held.roles) then 'admin'
      when 'editor' = any (held.roles) then 'editor'
      when 'commander' = any (held.roles) then 'commander'
      when 'responder' = any (held.roles) then 'responder'
      else 'viewer'
    end as role,
    case
      when identities.state = 'active' and invitations.identity_id is not null then 'invited'
      else identities.state
    end as state,
    identities.created_at at time zone 'UTC' as created_at,
    identities.updated_at at time zone 'UTC' as updated_at,
    people.last_login, invitations.invited_at, invitations.expires_at as invitation_expires_at, invitations.mailed
  from public.identities
  join public.people on people.id = identities.id
  left join internal.invitations on invitations.identity_id = identities.id
  cross join lateral (
    select array(
      select grants.role::text from internal.role_grants as grants
      where grants.person_id = identities.id order by grants.role
    ) as roles
  ) as held;
