-- Which file of PILOTHOUSE_CONFIG a canary comes from: gone from its file, it is deleted.

create table internal.config_file_canaries (
  canary_id uuid primary key references public.canaries (id) on delete cascade,
  file text not null,
  updated_at timestamptz not null default now()
);
