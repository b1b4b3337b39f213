-- Users of a team, and the audit trail with its seals.

create table users (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  email text collate "C" not null,
  name text,
  role text collate "C" not null,
  status text collate "C" not null,
  mfa_enabled boolean,
  invited_at timestamptz(3) not null,
  invite_expires_at timestamptz(3) not null,
  last_signed_in_at timestamptz(3),
  suspended_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  constraint users_suspended check ((status = 'suspended') = (suspended_at is not null)),
  constraint users_active check (status <> 'active' or last_signed_in_at is not null)
);
-- An address belongs to one user of a team, compared without case.
create unique index users_email_taken on users (team_id, lower(email collate "default"))
  where deleted_at is null;
-- The default order of the list.
create index users_default on users (team_id, inserted_at desc, id desc) where deleted_at is null;
-- The list by email.
create index users_email on users (team_id, email, id) where deleted_at is null;
-- The list by last sign-in.
create index users_last_signed_in_at on users (team_id, last_signed_in_at, id)
  where deleted_at is null;
-- The filter by role.
create index users_role on users (team_id, role, inserted_at desc, id desc)
  where deleted_at is null;
-- The filter by status.
create index users_status on users (team_id, status, inserted_at desc, id desc)
  where deleted_at is null;
-- Filters by a part of the email.
create index users_email_text on users
  using gin (team_id, lower(email collate "default") gin_trgm_ops) where deleted_at is null;

-- One row for each administrative change, written in its transaction. No foreign keys: a row never
-- waits for the row that it describes. Rows of the whole installation have a team id of zeros.
create table audit_events (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  action text collate "C" not null,
  resource_type text collate "C" not null,
  resource_id uuid not null,
  changed_fields text[] not null,
  -- Null where an operator acted by an admin command.
  client_id uuid,
  -- Who acted, where it was no client.
  actor text,
  request_id text collate "C" not null,
  -- Chosen by the service; request_id is the caller's choice.
  server_request_id uuid,
  source_ip text collate "C",
  user_agent text,
  -- For refused requests: the reason, and how many requests there were.
  reason text collate "C",
  occurrence_count int,
  -- Number of items of a bulk action, a download or several reads.
  item_count int,
  occurred_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table audit_events is 'append-only: who changed what, and when';
-- The default order of the list.
create index audit_events_default on audit_events (team_id, occurred_at desc, id desc);
-- The filter by action.
create index audit_events_action on audit_events (team_id, action, occurred_at desc, id desc);
-- The filter by resource.
create index audit_events_resource
  on audit_events (team_id, resource_id, occurred_at desc, id desc);
-- The filter by type of resource.
create index audit_events_resource_type
  on audit_events (team_id, resource_type, occurred_at desc, id desc);
-- The filter by client.
create index audit_events_client on audit_events (team_id, client_id, occurred_at desc, id desc);
-- The filter by request id.
create index audit_events_request on audit_events (team_id, request_id);
-- The filter by source address; operators and workers have none.
create index audit_events_source on audit_events (team_id, source_ip, occurred_at desc, id desc)
  where source_ip is not null;

-- Rows that wait for their seal. It is a queue, because rows become visible in another order than
-- their timestamps or ids: a row that commits late is not passed over.
create table audit_unsealed (
  team_id uuid not null,
  event_id uuid not null,
  occurred_at timestamptz(3) not null,
  primary key (team_id, event_id)
);
-- The order in which rows are sealed.
create index audit_unsealed_oldest on audit_unsealed (team_id, occurred_at, event_id);

-- The hash chain of a team: the hash of a row covers the row and the hash before it.
create table audit_seals (
  team_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  hash bytea not null,
  -- The key of the hash. It is not in the database, so the database's owner cannot forge seals.
  key_id text collate "C",
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, number),
  constraint audit_seals_keyed check (key_id is not null)
);
comment on table audit_seals is 'append-only: the hash chain over audit_events';
-- A row is sealed once.
create unique index audit_seals_event on audit_seals (team_id, event_id);
