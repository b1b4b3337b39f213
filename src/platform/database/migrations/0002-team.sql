-- Users of a team, portal sessions, sending domains, and the audit trail with its seals.

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
comment on table users is 'Users of a team, with their role and status.';
-- An address belongs to one user of a team, compared without case.
create unique index users_email_taken on users (team_id, folded(email)) where deleted_at is null;
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
create index users_email_text on users using gin (team_id, folded(email) gin_trgm_ops)
  where deleted_at is null;
-- The list by last change.
create index users_updated on users (team_id, updated_at, id) where deleted_at is null;

-- A session of the team's pages: one link, which opens it once.
create table portal_sessions (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  -- The client that made it. The session has at most the rights that its token had.
  client_id uuid not null,
  -- A name for people who look at the list.
  label text,
  -- The page that the link opens.
  page text collate "C" not null,
  scopes text[] not null,
  allowed_origins text[] not null,
  -- SHA-256 of the secret in the link.
  secret_hash bytea not null,
  link_expires_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  opened_at timestamptz(3),
  ended_at timestamptz(3),
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- The client is one of the same team.
  foreign key (team_id, client_id) references clients (team_id, id)
);
comment on table portal_sessions is 'Links to the team''s pages, each opened once, with their scopes and their end.';
-- The link names the session alone.
create unique index portal_sessions_id on portal_sessions (id);
-- The default order of the list.
create index portal_sessions_default on portal_sessions (team_id, inserted_at desc, id desc)
  where ended_at is null;
-- The list by end.
create index portal_sessions_expires_at on portal_sessions (team_id, expires_at, id)
  where ended_at is null;
-- Expired sessions, which maintenance deletes.
create index portal_sessions_expired on portal_sessions (expires_at);
-- The list by last change.
create index portal_sessions_updated on portal_sessions (team_id, updated_at, id)
  where ended_at is null;

create table sending_domains (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  -- In lower case. Several teams may have the same one, each with a challenge of its own.
  domain text collate "C" not null,
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'verified', 'failed')),
  -- The value of the record that shows that the team controls the domain.
  challenge text collate "C" not null,
  dkim_selector text collate "C" not null,
  dkim_public_key text collate "C" not null,
  -- Null once the domain is deleted.
  sealed_dkim_key text,
  -- By purpose of the record: found, different, missing or unknown.
  record_statuses jsonb not null default '{}',
  -- Checks in a row with the same outcome; the pauses between checks grow with them.
  checks_alike int not null default 0,
  -- When the ownership record was last seen.
  seen_at timestamptz(3),
  verified_at timestamptz(3),
  failed_at timestamptz(3),
  last_checked_at timestamptz(3),
  next_check_at timestamptz(3) not null default now(),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table sending_domains is 'Domains from which teams send e-mail, with their verification.';
-- A team has a domain once; also finds those that a sender may use.
create unique index sending_domains_domain on sending_domains (team_id, domain)
  where deleted_at is null;
-- The default order of the list.
create index sending_domains_default on sending_domains (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- Domains whose workflow was lost.
create index sending_domains_next on sending_domains (next_check_at) where deleted_at is null;
-- The list by last change.
create index sending_domains_updated on sending_domains (team_id, updated_at, id)
  where deleted_at is null;

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
comment on table audit_events is 'append-only: administrative changes and refused requests, with the client or operator.';
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
comment on table audit_unsealed is 'Audit events that wait for their place in the hash chain.';
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
comment on table audit_seals is 'append-only: the hash chain over the audit events of a team.';
-- A row is sealed once.
create unique index audit_seals_event on audit_seals (team_id, event_id);
