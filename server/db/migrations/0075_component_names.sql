-- Checks find the components they are about by name (facts: engines §3.5).

create index components_name_idx on public.components (name, type) where deleted_at is null;
create index components_external_id_idx on public.components (external_id) where deleted_at is null;
