-- Flows made of parts: what a session proves (methods and assurance level), which browser it is of, and what a flow
-- keeps for itself between two requests (challenges, secrets that are not confirmed yet). Never shown to a client.

alter table internal.sessions drop constraint sessions_method_check;
alter table internal.sessions
  add column aal text not null default 'aal1' constraint sessions_aal_check check (aal in ('aal1', 'aal2')),
  -- [{"method", "aal", "completed_at"}], in the order in which they were given
  add column methods jsonb not null default '[]',
  add column user_agent text,
  add column client_address text;
update internal.sessions set methods =
  jsonb_build_array(jsonb_build_object('method', method, 'aal', 'aal1', 'completed_at', authenticated_at));
alter table internal.sessions drop column method;

alter table internal.flows drop constraint flows_kind_check;
alter table internal.flows
  add constraint flows_kind_check
    check (kind in ('login', 'registration', 'settings', 'recovery', 'verification', 'setup', 'error')),
  add column context jsonb not null default '{}';
