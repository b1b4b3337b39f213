-- Runs of operations: executions of the integration catalogue, batches and file imports.

-- Files that were sent, in parts, since API and worker share no disk.
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
create index uploads_default on uploads (team_id, inserted_at desc, id desc);
create index uploads_expired on uploads (expires_at);

create table upload_parts (
  team_id uuid not null,
  upload_id uuid not null,
  number int not null,
  bytes bytea not null,
  primary key (team_id, upload_id, number),
  foreign key (team_id, upload_id) references uploads (team_id, id) on delete cascade
);
alter table upload_parts alter column bytes set storage external;

create table operation_runs (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  -- Which resource it is: an operation_execution or a batch_operation.
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
  idempotency_key text collate "C",
  -- On whose behalf: a client, or who put a file into a drop; what it may do is asked again when
  -- it runs.
  requested_by_client_id uuid,
  sftp_credential_id uuid,
  scopes text[] not null default '{}',
  -- Unknown until an upload has been read once.
  total_count int,
  processed_count int not null default 0,
  succeeded_count int not null default 0,
  failed_count int not null default 0,
  skipped_count int not null default 0,
  -- [{code, count, sample_index}]
  error_summary jsonb not null default '[]',
  -- Why it failed as a whole.
  error jsonb,
  -- The first item that is not applied yet, and the chunk that holds it.
  next_index int not null default 0,
  next_chunk int not null default 0,
  -- Counted up by whoever takes it over, so that a predecessor can write nothing more.
  run_token int not null default 0,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  estimated_completion_at timestamptz(3),
  completed_at timestamptz(3),
  -- Results are kept until then.
  expires_at timestamptz(3),
  -- When its results were deleted.
  pruned_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, upload_id) references uploads (team_id, id)
) with (fillfactor = 50);
create index operation_runs_default
  on operation_runs (team_id, surface, inserted_at desc, id desc);
create index operation_runs_status
  on operation_runs (team_id, surface, status, inserted_at desc, id desc);
create index operation_runs_kind
  on operation_runs (team_id, surface, operation_kind, inserted_at desc, id desc);
create index operation_runs_open on operation_runs (team_id, inserted_at, id)
  where status in ('queued', 'validating', 'running', 'canceling');
create index operation_runs_untouched on operation_runs (updated_at)
  where status in ('queued', 'validating', 'running', 'canceling');
create index operation_runs_expired on operation_runs (expires_at) where pruned_at is null;

-- Items in their order, some hundred to a chunk: what was sent, or where it stands in the upload.
create table operation_chunks (
  team_id uuid not null,
  run_id uuid not null,
  number int not null,
  first_index int not null,
  item_count int not null,
  -- The items as JSON text, for those that came in a request.
  input text,
  byte_offset bigint,
  byte_length int,
  -- Which failed items of the retried run these are, by their first and last index there.
  retry_from int,
  retry_to int,
  primary key (team_id, run_id, number),
  foreign key (team_id, run_id) references operation_runs (team_id, id) on delete cascade
);

-- What became of each item; written once, in the transaction that applied it.
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
  -- What was sent, of failed ones: a retry sends it again.
  input text,
  primary key (team_id, run_id, index),
  foreign key (team_id, run_id) references operation_runs (team_id, id) on delete cascade
);
-- The few that somebody looks for among many.
create index operation_items_status on operation_items (team_id, run_id, status, index)
  where status in ('failed', 'skipped');
