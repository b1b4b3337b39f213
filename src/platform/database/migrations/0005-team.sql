-- What a team administers: its settings, its users, SFTP credentials and widgets; and the audit
-- trail of whoever changes such things.

alter table teams
  add column locale text not null default 'en-US',
  -- Local times of the contact; null is none.
  add column quiet_hours jsonb default '{"start": "21:00", "end": "08:00"}',
  -- Marketing messages at most to one contact; null is no bound.
  add column frequency_cap jsonb default '{"per_day": 2, "per_week": 5}',
  add column domains text[] not null default '{}',
  add column is_in_benchmarks boolean not null default true;

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
create unique index users_email_taken on users (team_id, lower(email collate "default"))
  where deleted_at is null;
create index users_default on users (team_id, inserted_at desc, id desc) where deleted_at is null;
create index users_email on users (team_id, email, id) where deleted_at is null;
create index users_last_signed_in_at on users (team_id, last_signed_in_at, id)
  where deleted_at is null;
create index users_role on users (team_id, role, inserted_at desc, id desc)
  where deleted_at is null;
create index users_status on users (team_id, status, inserted_at desc, id desc)
  where deleted_at is null;
create index users_email_text on users
  using gin (team_id, lower(email collate "default") gin_trgm_ops) where deleted_at is null;

-- One line for each administrative change, written in its transaction. No foreign keys: no line
-- waits for the row it tells of.
create table audit_events (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  action text collate "C" not null,
  resource_type text collate "C" not null,
  resource_id uuid not null,
  changed_fields text[] not null,
  client_id uuid not null,
  request_id text collate "C" not null,
  occurred_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table audit_events is 'append-only: who changed what, and when';
create index audit_events_default on audit_events (team_id, occurred_at desc, id desc);
create index audit_events_action on audit_events (team_id, action, occurred_at desc, id desc);
create index audit_events_resource
  on audit_events (team_id, resource_id, occurred_at desc, id desc);
create index audit_events_resource_type
  on audit_events (team_id, resource_type, occurred_at desc, id desc);
create index audit_events_client on audit_events (team_id, client_id, occurred_at desc, id desc);
create index audit_events_request on audit_events (team_id, request_id);

-- Lines that wait for their seal. A queue, because lines become visible in another order than
-- their stamps or ids: nothing that commits late is passed over.
create table audit_unsealed (
  team_id uuid not null,
  event_id uuid not null,
  occurred_at timestamptz(3) not null,
  primary key (team_id, event_id)
);
create index audit_unsealed_oldest on audit_unsealed (team_id, occurred_at, event_id);

-- The chain of a team: the hash of a line covers the line and the hash before it.
create table audit_seals (
  team_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  hash bytea not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, number)
);
comment on table audit_seals is 'append-only: the hash chain over audit_events';
create unique index audit_seals_event on audit_seals (team_id, event_id);

create table sftp_credentials (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  username text collate "C" not null,
  public_key text not null,
  key_type text not null,
  fingerprint_sha256 text collate "C" not null,
  purpose text collate "C" not null,
  allowed_cidrs text[] not null default '{}',
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  last_upload_at timestamptz(3),
  upload_count bigint not null default 0,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
create unique index sftp_credentials_username on sftp_credentials (username);
create unique index sftp_credentials_key on sftp_credentials (team_id, fingerprint_sha256)
  where deleted_at is null;
create index sftp_credentials_default on sftp_credentials (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index sftp_credentials_name on sftp_credentials (team_id, name, id)
  where deleted_at is null;
-- Whether one is active depends on the clock; these three decide it.
create index sftp_credentials_live on sftp_credentials (team_id, expires_at)
  where deleted_at is null and revoked_at is null;

-- By these keys clients know the server; sealed, shared by all that serve SFTP.
create table sftp_host_keys (
  key_type text primary key,
  public_key text not null,
  fingerprint_sha256 text not null,
  sealed_private_key text not null,
  inserted_at timestamptz(3) not null default now()
);

create table sftp_uploads (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sftp_credential_id uuid not null,
  path text collate "C" not null,
  size_bytes bigint,
  sha256 text,
  status text collate "C" not null,
  error_code text,
  error_detail text,
  completed_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, sftp_credential_id) references sftp_credentials (team_id, id)
);
create index sftp_uploads_default on sftp_uploads (team_id, inserted_at desc, id desc);
create index sftp_uploads_credential
  on sftp_uploads (team_id, sftp_credential_id, inserted_at desc, id desc);
create index sftp_uploads_status on sftp_uploads (team_id, status, inserted_at desc, id desc);
create index sftp_uploads_path on sftp_uploads (team_id, path, id);

create table widget_instances (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  widget_kind text collate "C" not null,
  template_id uuid,
  allowed_origins text[] not null,
  is_active boolean not null,
  theme jsonb,
  locale text,
  publishable_key text collate "C" not null,
  session_max_days int not null,
  card_on_file jsonb,
  opt_in jsonb,
  mobile_app jsonb,
  last_bootstrapped_at timestamptz(3),
  bootstrap_count bigint not null default 0,
  archived_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, template_id) references templates (team_id, id)
);
create unique index widget_instances_publishable_key on widget_instances (publishable_key);
create index widget_instances_default on widget_instances (team_id, inserted_at desc, id desc)
  where deleted_at is null and archived_at is null;
create index widget_instances_name on widget_instances (team_id, name, id)
  where deleted_at is null and archived_at is null;
create index widget_instances_archived on widget_instances (team_id, inserted_at desc, id desc)
  where deleted_at is null and archived_at is not null;
create index widget_instances_kind
  on widget_instances (team_id, widget_kind, inserted_at desc, id desc)
  where deleted_at is null and archived_at is null;
create index widget_instances_template on widget_instances (team_id, template_id)
  where template_id is not null;
