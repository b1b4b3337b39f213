-- Teams and API clients, idempotency, rate limits, the request log, the workflow outbox and parked rows.

-- The comment of a table is its purpose, for `\d+` of psql and docs/generated/tables.md. Where it begins
-- with "append-only", the application loses update and delete when the migrations end: rows leave such
-- a table only as whole partitions.

-- Adds scalar columns to GIN indexes, such as team_id together with an array.
create extension if not exists btree_gin;
-- Trigram indexes, for filters that search within a text.
create extension if not exists pg_trgm;

create table teams (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  tier text not null default 'standard',
  timezone text not null default 'UTC',
  locale text not null default 'en-US',
  currency text not null default 'USD',
  domains text[] not null default '{}',
  -- Local times of the contact; null: none.
  quiet_hours jsonb default '{"start": "21:00", "end": "08:00"}',
  -- Maximum of marketing messages to one contact; null: no maximum.
  frequency_cap jsonb default '{"per_day": 2, "per_week": 5}',
  -- First digits of the numbers that codes and confirmations may be sent to; empty: every number.
  sms_allowed_prefixes text[] collate "C" not null default '{}',
  -- Tracking of opens and clicks that the team has switched on: {opens, clicks, domain?}; null: none.
  tracking jsonb,
  -- Terms of data of the team, as far as they differ from those of the installation.
  retention jsonb,
  -- A second client or an operator must release each sending provider.
  requires_provider_release boolean not null default false,
  is_in_benchmarks boolean not null default true,
  -- When an operator suspended the team; null: it is not.
  suspended_at timestamptz(3),
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on table teams is 'Teams: the tenants of the installation, with their tier and their defaults.';
-- The domains of a team are its verified sending domains.
comment on column teams.domains is 'Not used: see sending_domains.';
-- A tracking domain belongs to one team: its host serves the links of no other.
create unique index teams_tracking_domain on teams ((tracking ->> 'domain'))
  where tracking ->> 'domain' is not null;
-- The few teams that every process knows: those that are suspended or track.
create index teams_states on teams (id) where suspended_at is not null or tracking is not null;
-- The suspended teams.
create index teams_suspended on teams (id) where suspended_at is not null;

create table clients (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  scopes text[] not null,
  allow_wildcards boolean not null default false,
  -- When an operator suspended the client; null: it is not.
  suspended_at timestamptz(3),
  -- Tokens issued before this moment are refused.
  tokens_valid_after timestamptz(3) not null default '-infinity'::timestamptz,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table clients is 'API clients of a team, with their scopes.';
-- A token request names the client without its team.
create unique index clients_id on clients (id);
-- The suspended clients.
create index clients_suspended on clients (id) where suspended_at is not null;

-- At most two live secrets for each client; only keyed digests are stored.
create table client_secrets (
  team_id uuid not null,
  client_id uuid not null,
  id uuid not null default gen_random_uuid(),
  pepper_id text not null,
  digest bytea not null,
  hint text not null,
  expires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A secret belongs to a client of the same team.
  foreign key (team_id, client_id) references clients (team_id, id)
);
comment on table client_secrets is 'Keyed digests of the secrets of clients, at most two live ones for each client.';
-- The secrets of a client, read for each token request.
create index client_secrets_client on client_secrets (team_id, client_id);

create table revoked_tokens (
  token_id uuid primary key,
  expires_at timestamptz(3) not null
);
comment on table revoked_tokens is 'Access tokens that were revoked before they expire.';

-- Keys that sign access tokens: used from activates_at, accepted until retires_at.
create table signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  activates_at timestamptz(3) not null,
  retires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now()
);
comment on table signing_keys is 'Keys that sign access tokens, each with the time of its first use and of its retirement.';

-- Responses of finished requests. A request in progress holds an advisory lock, so a row means
-- "finished".
create table idempotency_keys (
  team_id uuid not null,
  client_id uuid not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  body text,
  is_sealed boolean not null default false,
  -- The contacts that the response is about: an erasure cannot search a sealed body.
  contact_ids uuid[],
  inserted_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (team_id, client_id, key_hash)
);
comment on table idempotency_keys is 'Responses of finished requests with an Idempotency-Key, for repetitions of the request.';
-- Expired rows, which maintenance deletes.
create index idempotency_keys_expiry on idempotency_keys (expires_at);

-- Token buckets that the API processes share. Unlogged: a crash only fills the buckets again.
create unlogged table rate_budgets (
  team_id uuid not null,
  class text not null,
  burst_tokens double precision not null,
  steady_tokens double precision not null,
  refilled_at timestamptz not null,
  primary key (team_id, class)
);
comment on table rate_budgets is 'Remaining requests of each team and rate class.';

-- Requests to signal a workflow: appended by the transaction that changed what the workflow watches.
create table workflow_outbox (
  id bigint generated always as identity primary key,
  workflow text not null,
  key uuid not null,
  team_id uuid not null,
  -- Header traceparent (W3C Trace Context) of the request that caused it; null: it is not traced.
  traceparent text,
  claimed_until timestamptz not null default '-infinity'::timestamptz,
  inserted_at timestamptz(3) not null default now()
);
comment on table workflow_outbox is 'Outbox entries: requests to signal a workflow, stored with the change that the workflow watches.';

-- Requests of a team, stored for a week, with shortened bodies that show no content.
create table request_log (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  client_id uuid not null,
  request_id text collate "C" not null,
  -- Chosen by the service; request_id is the caller's choice.
  server_request_id uuid,
  -- Requests of recipients are in no request log, since their addresses are personal data.
  source_ip text collate "C",
  user_agent text,
  occurred_at timestamptz(3) not null,
  method text collate "C" not null,
  operation text collate "C" not null,
  path text not null,
  query text,
  status int not null,
  error_codes text[] not null,
  duration_ms int not null,
  request_bytes int not null,
  response_bytes int not null,
  request_body text,
  response_body text,
  -- Contacts that the request or its answer names: an erasure deletes these rows.
  contact_ids uuid[],
  -- The order of the list, so that the list needs no other index.
  primary key (team_id, occurred_at, id, day)
) partition by range (day);
comment on table request_log is 'requests of each team of the last seven days, partitioned by day.';
create table request_log_default partition of request_log default;
-- The filter by request id.
create index request_log_request on request_log (team_id, request_id);
-- The requests about a contact, for its erasure.
create index request_log_contacts on request_log using gin (contact_ids)
  where contact_ids is not null;

-- The sequence orders the notices of all teams, and so the events about them of one team.
create sequence deprecation_notice_sequence;
create table deprecation_notices (
  team_id uuid not null references teams (id),
  item text not null,
  sequence bigint not null default nextval('deprecation_notice_sequence'),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, item)
);
comment on table deprecation_notices is 'append-only: deprecated parts of the interface that a team was notified of, each once.';

-- Bytes of the files of a team: parts of uploads and of exports. Triggers keep the sum exact; the
-- quota of the team is checked against it. A transaction that adds or deletes parts locks the row
-- until its end.
create table file_bytes (
  team_id uuid primary key references teams (id),
  bytes bigint not null
) with (fillfactor = 50);
comment on table file_bytes is 'Bytes of the uploads and exports of a team, which its quota limits.';

-- Rows that a background loop could not process: it leaves each out until its time, and goes on.
create table parked_rows (
  -- The loop, as in docs/faults.md.
  loop text collate "C" not null,
  team_id uuid not null,
  -- The id of the row, or what identifies it in its loop.
  row_id text collate "C" not null,
  -- SQLSTATE, or the class of the error.
  reason text collate "C" not null,
  attempts smallint not null default 1,
  parked_at timestamptz(3) not null default now(),
  parked_until timestamptz(3) not null,
  primary key (loop, team_id, row_id)
);
comment on table parked_rows is 'for a week after its time: a row that a background loop leaves out for a while.';
