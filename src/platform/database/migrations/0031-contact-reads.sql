-- The log of which client read which contact, for teams that switch it on.

-- One row for the first answer of an hour, by client and endpoint, that holds something of a contact.
-- Partitioned by month, so that the indexes in use stay small. No foreign keys: contacts are hot.
create table contact_reads (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  client_id uuid not null,
  -- The operationId of the endpoint.
  operation text collate "C" not null,
  -- The id that the service gave the request.
  server_request_id uuid,
  read_at timestamptz(3) not null default now(),
  -- By the term of the team at that time; a later change of the term does not move it.
  expires_at timestamptz(3) not null,
  -- The begin of the hour.
  occurred_at timestamptz(3) not null,
  -- Within an hour the same read is recorded once.
  primary key (team_id, contact_id, client_id, operation, occurred_at)
) partition by range (occurred_at);
comment on table contact_reads is 'append-only until expires_at: which client read which contact, of teams that record it.';
create table contact_reads_default partition of contact_reads default;
-- The order of the list.
create index contact_reads_read on contact_reads (team_id, read_at, id);
-- The filter by client.
create index contact_reads_client on contact_reads (team_id, client_id, read_at, id);
-- The order of exports.
create index contact_reads_id on contact_reads (team_id, id);
-- Rows whose term has ended.
create index contact_reads_expires on contact_reads (expires_at);
select ensure_month_partitions();

alter table exports drop constraint exports_kind_check;
alter table exports add constraint exports_kind_check check (kind in
  ('contacts', 'accounts', 'objective_completions', 'archived_messages', 'contact_reads', 'contact'));
