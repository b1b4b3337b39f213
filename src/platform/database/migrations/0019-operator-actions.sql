-- Columns for the Updates by which operators change work in motion.

-- Attempts of a subscription are held back until then; tests and manual retries are not.
alter table webhook_subscription_states add column paused_until timestamptz(3);

-- Items of a run that are left out, by their index.
alter table operation_runs add column left_out_indexes int[] not null default '{}';
