-- Accounts that providers keep (specification 1 §4): which person of ours an account elsewhere is, and the sessions that
-- a provider has ended. Nobody but the owner has any right here.

/* An account elsewhere is one person's; the e-mail it brings never decides whose. */
create table internal.linked_accounts (
  issuer text not null,
  subject text not null,
  person_id uuid not null references public.people (id) on delete cascade,
  /* The name of the provider in the configuration; null for the hosted one, which keeps everybody. */
  provider text,
  linked_at timestamptz not null default now(),
  constraint linked_accounts_pkey primary key (issuer, subject)
);
create index linked_accounts_person_id_idx on internal.linked_accounts (person_id);
/* One account of each provider: which of two would "Unlink" mean? */
create unique index linked_accounts_provider_key on internal.linked_accounts (person_id, provider)
  where provider is not null;

/* SHA-256 of issuer and session (sid), or of issuer and person (sub): what was issued up to then is refused. */
create table internal.ended_sessions (
  session_hash bytea primary key,
  ended_at timestamptz not null
);
create index ended_sessions_ended_at_idx on internal.ended_sessions (ended_at);

revoke all on internal.linked_accounts, internal.ended_sessions from public;
