-- Servers of partners from which files are fetched when a callback names one.

create table file_sources (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  source_kind text collate "C" not null check (source_kind in ('sftp', 'https')),
  is_active boolean not null,
  -- The files of callbacks that it answers for.
  server_id text collate "C" not null,
  server_username text collate "C",
  server_path text collate "C" not null,
  purpose text collate "C" not null
    check (purpose in ('contacts', 'accounts', 'objective_completions')),
  -- Where they are.
  host text collate "C" not null,
  port int not null,
  base_path text collate "C" not null,
  username text,
  host_key_fingerprints text[] not null,
  authentication text collate "C" not null
    check (authentication in ('password', 'private_key', 'bearer_token')),
  public_key text,
  -- Null once the source is deleted.
  sealed_credential text,
  credential_changed_at timestamptz(3) not null default now(),
  last_fetched_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
create unique index file_sources_server
  on file_sources (team_id, server_id, server_path, coalesce(server_username, ''))
  where deleted_at is null;
create index file_sources_default on file_sources (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index file_sources_name on file_sources (team_id, name, id) where deleted_at is null;

-- A file came by credentials of the drop, or was fetched from a source.
alter table sftp_uploads
  alter column sftp_credential_id drop not null,
  add column file_source_id uuid,
  add foreign key (team_id, file_source_id) references file_sources (team_id, id),
  add check (num_nonnulls(sftp_credential_id, file_source_id) = 1);
create index sftp_uploads_source on sftp_uploads (team_id, file_source_id, inserted_at desc, id desc)
  where file_source_id is not null;

alter table operation_runs add column file_source_id uuid;

-- Files that are fetched or were: a row for each version of a file. One that failed before its
-- import has none, so that it can be fetched again.
create table file_fetches (
  team_id uuid not null,
  sftp_upload_id uuid not null,
  file_source_id uuid not null,
  path text collate "C" not null,
  -- When the upload to the server ended, as the callback says.
  completed_at timestamptz(3) not null,
  -- In hexadecimal, where the callback names it.
  sha256 text collate "C",
  -- Null once the import has begun.
  next_attempt_at timestamptz(3) default now(),
  attempts int not null default 0,
  -- Counted up by each worker that takes it over, so that an earlier one can write nothing more.
  token int not null default 0,
  lease_expires_at timestamptz(3),
  last_error_code text,
  primary key (team_id, sftp_upload_id),
  foreign key (team_id, sftp_upload_id) references sftp_uploads (team_id, id) on delete cascade,
  foreign key (team_id, file_source_id) references file_sources (team_id, id)
);
create unique index file_fetches_version
  on file_fetches (team_id, file_source_id, path, completed_at);
create index file_fetches_due on file_fetches (next_attempt_at) where next_attempt_at is not null;
create index file_fetches_open on file_fetches (team_id) where next_attempt_at is not null;
