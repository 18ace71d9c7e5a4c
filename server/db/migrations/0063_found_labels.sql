-- Labels that a run found and gave to its check, such as those of the first result of a Prometheus query. They lie under
-- the labels that the canary says: `found_labels` holds what of `labels` is not the canary's.
alter table internal.checks add column found_labels jsonb not null default '{}';
