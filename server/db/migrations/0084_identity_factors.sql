-- Second factors and passkeys of the built-in identity service. Nobody but the owner has any right here. Secrets are
-- sealed or hashed under the key of the installation; public keys are public.

create table internal.totp_factors (
  identity_id uuid primary key references public.identities (id) on delete cascade,
  secret bytea not null, -- AES-256-GCM
  last_step bigint not null, -- the latest 30-second step whose code was taken: none at or before it is taken again
  added_at timestamptz not null
);

create table internal.lookup_codes (
  identity_id uuid not null references public.identities (id) on delete cascade,
  position smallint not null,
  code_hash bytea not null, -- HMAC-SHA-256
  used_at timestamptz,
  primary key (identity_id, position)
);

create table internal.webauthn_keys (
  id bytea primary key, -- the credential's id
  identity_id uuid not null references public.identities (id) on delete cascade,
  kind text not null check (kind in ('webauthn', 'passkey')),
  rp_id text not null,
  public_key bytea not null, -- COSE
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  added_at timestamptz not null,
  last_used_at timestamptz
);
create index webauthn_keys_identity_id_idx on internal.webauthn_keys (identity_id);

-- Whether somebody has a second factor: an app, a security key, or a backup code that is left.
create function internal.has_second_factor(person uuid) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from internal.totp_factors where identity_id = person)
      or exists (select from internal.webauthn_keys where identity_id = person and kind = 'webauthn')
      or exists (select from internal.lookup_codes where identity_id = person and used_at is null)
$$;

revoke all on function internal.has_second_factor from public;
revoke all on internal.totp_factors, internal.lookup_codes, internal.webauthn_keys from public;
