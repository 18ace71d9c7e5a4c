-- What people prove by e-mail, and the mail itself. As before nobody but the owner has any right here, and no code or
-- token is stored in clear once its mail is out.

-- An invitation is an account without a password and a link that gives it one, once.
create table internal.invitations (
  identity_id uuid primary key references public.identities (id) on delete cascade,
  token_hash bytea not null constraint invitations_token_hash_key unique,
  invited_by uuid references public.people (id) on delete set null,
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  mailed boolean not null
);
create index invitations_invited_by_idx on internal.invitations (invited_by);

-- Addresses whose owner has shown that mail to them arrives; of an address that was changed nothing is left.
create table internal.verified_addresses (
  identity_id uuid primary key references public.identities (id) on delete cascade,
  address text not null,
  verified_at timestamptz not null
);

-- The code that was mailed in a flow of recovery or verification: a keyed hash of it, one for each flow. identity_id is
-- null where no account has the address; then nobody knows the code.
create table internal.flow_codes (
  flow_id uuid primary key references internal.flows (id) on delete cascade,
  identity_id uuid references public.identities (id) on delete cascade,
  address text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  sent integer not null default 1,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index flow_codes_identity_id_idx on internal.flow_codes (identity_id);

-- Mail that is to be sent, or was. The body goes when it is out, or when nobody tries any more.
create table internal.courier_messages (
  id uuid primary key,
  template text not null check (template in ('recovery_code', 'verification_code', 'invitation')),
  recipient text not null,
  subject text not null,
  body_text text,
  body_html text,
  -- withheld: nobody has that address; written so that the work is the same as for an address that somebody has
  status text not null default 'queued' check (status in ('queued', 'sent', 'abandoned', 'withheld')),
  attempts integer not null default 0,
  next_at timestamptz not null,
  -- after this the mail is of no use: its code is over
  expires_at timestamptz not null,
  error text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index courier_messages_next_at_idx on internal.courier_messages (next_at) where status = 'queued';
create index courier_messages_created_at_idx on internal.courier_messages (created_at);

-- Another address is another thing to prove.
create function internal.forget_verified_address() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from internal.verified_addresses where identity_id = new.id;
  delete from internal.flow_codes where identity_id = new.id;
  return new;
end
$$;

create trigger identity_address_changed
after update of traits on public.identities
for each row when (lower(new.traits ->> 'email') is distinct from lower(old.traits ->> 'email'))
execute function internal.forget_verified_address();

revoke all on internal.invitations, internal.verified_addresses, internal.flow_codes, internal.courier_messages
  from public;
