-- Runs of operations with their files: uploads, SFTP, file sources and exports.

-- Uploaded files, stored in parts, since the API and the workers share no disk.
create table uploads (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  format text collate "C" not null check (format in ('csv', 'ndjson')),
  status text collate "C" not null default 'receiving'
    check (status in ('receiving', 'received', 'failed')),
  size_bytes bigint not null default 0,
  sha256 text collate "C",
  expires_at timestamptz(3) not null,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table uploads is 'Uploaded files for batches, with format, status and size.';
-- The default order of the list.
create index uploads_default on uploads (team_id, inserted_at desc, id desc);
-- Expired files, which maintenance deletes.
create index uploads_expired on uploads (expires_at);
-- Uploads in progress, to limit those of a team and to find the interrupted ones.
create index uploads_receiving on uploads (team_id, updated_at) where status = 'receiving';

create table upload_parts (
  team_id uuid not null,
  upload_id uuid not null,
  number int not null,
  bytes bytea not null,
  primary key (team_id, upload_id, number),
  -- A part is deleted with its upload.
  foreign key (team_id, upload_id) references uploads (team_id, id) on delete cascade
);
comment on table upload_parts is 'Bytes of uploaded files, in parts.';
-- Without compression a range of bytes is read without the rest.
alter table upload_parts alter column bytes set storage external;
-- Adds new parts to file_bytes.
create trigger count_inserted after insert on upload_parts
  referencing new table as added for each statement execute function count_file_bytes();
-- Counts changed parts.
create trigger count_updated after update on upload_parts
  referencing old table as removed new table as added
  for each statement execute function count_file_bytes();
-- Subtracts deleted parts.
create trigger count_deleted after delete on upload_parts
  referencing old table as removed for each statement execute function count_file_bytes();

create table operation_runs (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  -- The resource that shows it: an operation_execution or a batch_operation.
  surface text collate "C" not null check (surface in ('ipaas', 'batch')),
  operation_kind text collate "C" not null,
  execution_mode text collate "C" not null default 'async'
    check (execution_mode in ('sync', 'async')),
  status text collate "C" not null default 'queued' check (status in (
    'queued', 'validating', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling',
    'canceled')),
  failure_mode text collate "C" not null check (failure_mode in ('partial_ok', 'transactional')),
  dry_run boolean not null default false,
  notify_webhook boolean not null default false,
  source text collate "C" not null check (source in ('inline', 'upload', 'sftp')),
  upload_id uuid,
  -- Names of columns by names of fields, for uploads.
  mapping jsonb,
  retry_of_id uuid,
  -- The partner resource whose own endpoint started the run; the run is read below it.
  subject_id uuid,
  idempotency_key text collate "C",
  -- Who requested it: a client, the credential of an SFTP upload, or a file source. Its rights are
  -- checked again when the run starts.
  requested_by_client_id uuid,
  sftp_credential_id uuid,
  file_source_id uuid,
  scopes text[] not null default '{}',
  -- Scopes of the operation: results are shown only to a caller that holds all of them.
  needed_scopes text[] not null default '{}',
  -- Unknown until an upload has been read once.
  total_count int,
  processed_count int not null default 0,
  succeeded_count int not null default 0,
  failed_count int not null default 0,
  skipped_count int not null default 0,
  -- [{code, count, sample_index}]
  error_summary jsonb not null default '[]',
  -- Why the whole run failed.
  error jsonb,
  -- The first item that is not applied yet, and its chunk.
  next_index int not null default 0,
  next_chunk int not null default 0,
  -- Items that an operator left out, by their index.
  left_out_indexes int[] not null default '{}',
  -- Counted up by each worker that takes it over, so that an earlier one can write nothing more.
  run_token int not null default 0,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  estimated_completion_at timestamptz(3),
  completed_at timestamptz(3),
  -- When its results are deleted.
  expires_at timestamptz(3),
  -- When its results were deleted.
  pruned_at timestamptz(3),
  primary key (team_id, id),
  -- A file is deleted before the runs that read it.
  foreign key (team_id, upload_id) references uploads (team_id, id)
    on delete set null (upload_id)
) with (fillfactor = 50);
comment on table operation_runs is 'Runs of operations: batches and executions, with progress and result.';
-- The default order of the list.
create index operation_runs_default
  on operation_runs (team_id, surface, inserted_at desc, id desc);
-- The filter by status.
create index operation_runs_status
  on operation_runs (team_id, surface, status, inserted_at desc, id desc);
-- The filter by kind of operation.
create index operation_runs_kind
  on operation_runs (team_id, surface, operation_kind, inserted_at desc, id desc);
-- The list by last change.
create index operation_runs_updated on operation_runs (team_id, surface, updated_at, id);
-- Open runs of a team, oldest first: they run in this order.
create index operation_runs_open on operation_runs (team_id, inserted_at, id)
  where status in ('queued', 'validating', 'running', 'canceling');
-- Open runs without progress, which the reconciler signals again.
create index operation_runs_stale on operation_runs (updated_at)
  where status in ('queued', 'validating', 'running', 'canceling');
-- Runs whose results are to be deleted.
create index operation_runs_expired on operation_runs (expires_at) where pruned_at is null;
-- The runs of a file, which its deletion updates.
create index operation_runs_upload on operation_runs (team_id, upload_id)
  where upload_id is not null;

-- Some hundred items in their order: the items themselves, or their place in the upload.
create table operation_chunks (
  team_id uuid not null,
  run_id uuid not null,
  number int not null,
  first_index int not null,
  item_count int not null,
  -- The items of a request as JSON text.
  input text,
  byte_offset bigint,
  byte_length int,
  -- For a retry: the first and the last index of its failed items in the retried run.
  retry_from int,
  retry_to int,
  primary key (team_id, run_id, number),
  -- A chunk is deleted with its run.
  foreign key (team_id, run_id) references operation_runs (team_id, id) on delete cascade
);
comment on table operation_chunks is 'Items of a run in chunks of some hundred: the items, or their place in the upload.';

-- The result of each item, written once, in the transaction that applied the item.
create table operation_items (
  team_id uuid not null,
  run_id uuid not null,
  index int not null,
  status text collate "C" not null
    check (status in ('created', 'updated', 'unchanged', 'skipped', 'failed')),
  resource_type text collate "C",
  resource_id uuid,
  errors jsonb not null default '[]',
  output jsonb,
  -- The input of a failed item: a retry applies it again.
  input text,
  primary key (team_id, run_id, index),
  -- A result is deleted with its run.
  foreign key (team_id, run_id) references operation_runs (team_id, id) on delete cascade
);
comment on table operation_items is 'Result of each item of a run.';
-- The filter by status: the few failed or skipped items among many.
create index operation_items_status on operation_items (team_id, run_id, status, index)
  where status in ('failed', 'skipped');

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
  -- Files are imported with these scopes, as far as the client still has them: it made or last changed
  -- the credential.
  client_id uuid,
  scopes text[] not null default '{}',
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
comment on table sftp_credentials is 'Credentials with which partners send files by SFTP.';
-- A login names a credential without its team.
create unique index sftp_credentials_username on sftp_credentials (username);
-- A key belongs to one credential of a team.
create unique index sftp_credentials_key on sftp_credentials (team_id, fingerprint_sha256)
  where deleted_at is null;
-- The default order of the list.
create index sftp_credentials_default on sftp_credentials (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by name.
create index sftp_credentials_name on sftp_credentials (team_id, name, id)
  where deleted_at is null;
-- The list by last change.
create index sftp_credentials_updated on sftp_credentials (team_id, updated_at, id)
  where deleted_at is null;
-- The filter by active credentials; whether one is active also depends on the clock.
create index sftp_credentials_live on sftp_credentials (team_id, expires_at)
  where deleted_at is null and revoked_at is null;

-- Sealed host keys of the SFTP server, shared by all its processes.
create table sftp_host_keys (
  key_type text primary key,
  public_key text not null,
  fingerprint_sha256 text not null,
  sealed_private_key text not null,
  inserted_at timestamptz(3) not null default now()
);
comment on table sftp_host_keys is 'Sealed host keys of the SFTP server.';

-- Servers of partners from which files are fetched when a callback names one.
create table file_sources (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  source_kind text collate "C" not null check (source_kind in ('sftp', 'https')),
  is_active boolean not null,
  -- The callbacks whose files it provides.
  server_id text collate "C" not null,
  server_username text collate "C",
  server_path text collate "C" not null,
  purpose text collate "C" not null
    check (purpose in ('contacts', 'accounts', 'objective_completions')),
  -- Files are imported with these scopes, as far as the client still has them: it made or last changed
  -- the source.
  client_id uuid,
  scopes text[] not null default '{}',
  -- The address of the files.
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
  -- The last test: a worker logs in and reads nothing.
  test_requested_at timestamptz(3),
  test_started_at timestamptz(3),
  tested_at timestamptz(3),
  test_error_code text,
  test_error_detail text,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table file_sources is 'Servers of partners from which files are fetched.';
-- A callback matches one source.
create unique index file_sources_server
  on file_sources (team_id, server_id, server_path, coalesce(server_username, ''))
  where deleted_at is null;
-- The default order of the list.
create index file_sources_default on file_sources (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by name.
create index file_sources_name on file_sources (team_id, name, id) where deleted_at is null;
-- The list by last change.
create index file_sources_updated on file_sources (team_id, updated_at, id)
  where deleted_at is null;
-- Requested tests.
create index file_sources_tests on file_sources (test_requested_at)
  where test_requested_at is not null;

-- Files that arrived by SFTP or were fetched from a source; an operation run imports each.
create table sftp_uploads (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sftp_credential_id uuid,
  file_source_id uuid,
  path text collate "C" not null,
  size_bytes bigint,
  sha256 text,
  status text collate "C" not null,
  error_code text,
  error_detail text,
  -- The content, until it is deleted.
  upload_id uuid,
  batch_operation_id uuid,
  -- The callback that announced the file, if one did.
  inbound_delivery_id uuid,
  -- Size of the result file, once it was requested.
  result_size_bytes bigint,
  completed_at timestamptz(3),
  -- When the client removed it from its folder; the row and the import stay.
  removed_at timestamptz(3),
  -- When an erasure deleted the name, which may name a person; events about the file are then cut.
  erased_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- The credential is one of the same team.
  foreign key (team_id, sftp_credential_id) references sftp_credentials (team_id, id),
  -- The source is one of the same team.
  foreign key (team_id, file_source_id) references file_sources (team_id, id),
  -- The content is deleted before the row.
  foreign key (team_id, upload_id) references uploads (team_id, id)
    on delete set null (upload_id),
  -- The run is deleted before the row.
  foreign key (team_id, batch_operation_id) references operation_runs (team_id, id)
    on delete set null (batch_operation_id),
  -- A file arrived by a credential or was fetched from a source.
  check (num_nonnulls(sftp_credential_id, file_source_id) = 1)
);
comment on table sftp_uploads is 'Files that arrived by SFTP or were fetched, with the run that imports each.';
-- The default order of the list.
create index sftp_uploads_default on sftp_uploads (team_id, inserted_at desc, id desc);
-- The filter by credential.
create index sftp_uploads_credential
  on sftp_uploads (team_id, sftp_credential_id, inserted_at desc, id desc);
-- The filter by source.
create index sftp_uploads_source on sftp_uploads (team_id, file_source_id, inserted_at desc, id desc)
  where file_source_id is not null;
-- The filter by status.
create index sftp_uploads_status on sftp_uploads (team_id, status, inserted_at desc, id desc);
-- The list by path.
create index sftp_uploads_path on sftp_uploads (team_id, path, id);
-- The list by last change.
create index sftp_uploads_updated on sftp_uploads (team_id, updated_at, id);
-- The files of a folder, and the newest file of a name.
create index sftp_uploads_folder
  on sftp_uploads (team_id, sftp_credential_id, path, inserted_at desc, id desc);
-- The file of an upload, which the deletion of the upload updates.
create index sftp_uploads_upload on sftp_uploads (team_id, upload_id) where upload_id is not null;
-- The file of a run, which the deletion of the run updates.
create index sftp_uploads_batch_operation on sftp_uploads (team_id, batch_operation_id)
  where batch_operation_id is not null;
-- Interrupted files.
create index sftp_uploads_unfinished on sftp_uploads (updated_at) where status = 'receiving';
-- Erased files of a team, whose events erase_events cuts.
create index sftp_uploads_erased on sftp_uploads (team_id) where erased_at is not null;

-- Fetches of files, one for each version of a file. A fetch that failed before the import is deleted,
-- so that the file can be fetched again.
create table file_fetches (
  team_id uuid not null,
  sftp_upload_id uuid not null,
  file_source_id uuid not null,
  path text collate "C" not null,
  -- When the upload to the server ended, by the callback.
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
  -- A fetch is deleted with its file.
  foreign key (team_id, sftp_upload_id) references sftp_uploads (team_id, id) on delete cascade,
  -- The source is one of the same team.
  foreign key (team_id, file_source_id) references file_sources (team_id, id)
);
comment on table file_fetches is 'Fetches of files from file sources, with attempts and lease.';
-- A version of a file is fetched once.
create unique index file_fetches_version
  on file_fetches (team_id, file_source_id, path, completed_at);
-- Fetches that are due.
create index file_fetches_due on file_fetches (next_attempt_at) where next_attempt_at is not null;
-- Open fetches of a team, which a quota limits.
create index file_fetches_open on file_fetches (team_id) where next_attempt_at is not null;

-- Files of a team's data, made in parts and downloaded by the client that requested them.
create table exports (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  kind text collate "C" not null
    check (kind in ('contacts', 'accounts', 'objective_completions', 'archived_messages',
      'contact_reads', 'contact')),
  format text collate "C" not null check (format in ('csv', 'ndjson', 'json')),
  status text collate "C" not null default 'queued'
    check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- The filters as the client sent them, and the conditions that they meant at that time.
  filters jsonb not null default '{}',
  conditions jsonb not null default '[]',
  -- The contact, where the export contains everything about one contact.
  contact_id uuid,
  -- Read scopes of the token that requested it: sections that it could not read are left out.
  read_scopes text[] not null default '{}',
  -- It contains dates of birth: the requesting client could read them, and the downloading one must.
  shows_birth_date boolean not null default false,
  row_count int not null default 0,
  size_bytes bigint not null default 0,
  -- It continues in this section after this id, with this part.
  section int not null default 0,
  cursor_id uuid,
  next_part int not null default 0,
  -- Lines of archived messages are chained: SHA-256 of the last one so far, in hexadecimal digits.
  chain_sha256 text collate "C",
  error jsonb,
  requested_by_client_id uuid not null,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  -- The file is stored until then, and the row for the same time again.
  expires_at timestamptz(3) not null default now() + interval '24 hours',
  deleted_at timestamptz(3),
  primary key (team_id, id)
) with (fillfactor = 50);
comment on table exports is 'Exports of the data of a team, with their progress.';
-- The default order of the list.
create index exports_default on exports (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by last change.
create index exports_updated on exports (team_id, updated_at, id) where deleted_at is null;
-- Open exports without progress, which the reconciler signals again.
create index exports_stale on exports (updated_at) where status in ('queued', 'running');
-- Expired exports, which maintenance deletes.
create index exports_expires_at on exports (expires_at);

-- The rows of a section from one id to another, in the order of ids.
create table export_parts (
  team_id uuid not null,
  export_id uuid not null,
  number int not null,
  section int not null,
  last_id uuid,
  bytes bytea not null,
  primary key (team_id, export_id, number),
  -- A part is deleted with its export.
  foreign key (team_id, export_id) references exports (team_id, id) on delete cascade
);
comment on table export_parts is 'Bytes of export files, in parts.';
-- Without compression a range of bytes is read without the rest.
alter table export_parts alter column bytes set storage external;
-- Adds new parts to file_bytes.
create trigger count_inserted after insert on export_parts
  referencing new table as added for each statement execute function count_file_bytes();
-- Counts changed parts.
create trigger count_updated after update on export_parts
  referencing old table as removed new table as added
  for each statement execute function count_file_bytes();
-- Subtracts deleted parts.
create trigger count_deleted after delete on export_parts
  referencing old table as removed for each statement execute function count_file_bytes();
