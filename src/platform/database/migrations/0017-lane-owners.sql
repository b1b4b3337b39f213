alter table webhook_lanes add column owner_pid int;
comment on column webhook_lanes.owner_pid is 'Postgres backend of the LISTEN connection of the process that holds the lease: the two end together.';
