-- The partner resource that an endpoint of its own started the run for; the run is polled below it.
alter table operation_runs add column subject_id uuid;
