-- Heartbeats: checks that report by themselves. What a ping says is in check_statuses like any run.

/* Who may ping which check, and what was heard. Only the hash of a token is kept. */
create table internal.heartbeats (
  check_id uuid not null references internal.checks (id) on delete cascade,
  token bytea not null,
  created_at timestamptz not null default now(),
  last_ping timestamptz,
  -- When it said that it began, until it says how it ended.
  started_at timestamptz,
  constraint heartbeats_pkey primary key (check_id),
  constraint heartbeats_token_key unique (token)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
