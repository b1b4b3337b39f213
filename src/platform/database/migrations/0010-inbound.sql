-- Callbacks of providers: receivers, deliveries, and what prevents that a callback counts twice.

create table incoming_webhook_receivers (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  receiver_kind text collate "C" not null,
  name text collate "C",
  is_active boolean not null,
  dedup_window_seconds int not null check (dedup_window_seconds between 0 and 604800),
  signature_required boolean not null,
  -- Settings of the verification, without the secrets.
  settings jsonb not null default '{}',
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table incoming_webhook_receivers is 'Receivers of provider callbacks, with kind and settings.';
-- The URL of a callback names a receiver without its team.
create unique index incoming_webhook_receivers_id on incoming_webhook_receivers (id);
-- The default order of the list.
create index incoming_webhook_receivers_default
  on incoming_webhook_receivers (team_id, inserted_at desc, id desc) where deleted_at is null;
-- The list by name.
create index incoming_webhook_receivers_name
  on incoming_webhook_receivers (team_id, name, id) where deleted_at is null;
-- The list by last change.
create index incoming_webhook_receivers_updated
  on incoming_webhook_receivers (team_id, updated_at, id) where deleted_at is null;

-- The state that callbacks change: each process writes it at most once a second.
create table incoming_webhook_receiver_states (
  team_id uuid not null,
  receiver_id uuid not null,
  last_received_at timestamptz(3),
  last_signature_failure_at timestamptz(3),
  consecutive_signature_failures int not null default 0,
  -- Sequence of the events about the receiver itself.
  event_sequence bigint not null default 0,
  primary key (team_id, receiver_id),
  -- A state belongs to a receiver of the same team.
  foreign key (team_id, receiver_id) references incoming_webhook_receivers (team_id, id)
) with (fillfactor = 50);
comment on table incoming_webhook_receiver_states is 'State of a receiver that its callbacks change.';

-- Sealed secrets; a replaced one is accepted until expires_at.
create table incoming_webhook_receiver_secrets (
  team_id uuid not null,
  receiver_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  sealed_secret text not null,
  hint text not null,
  expires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A secret belongs to a receiver of the same team.
  foreign key (team_id, receiver_id) references incoming_webhook_receivers (team_id, id)
);
comment on table incoming_webhook_receiver_secrets is 'Sealed secrets of receivers, two while one is being replaced.';
-- The secrets of a receiver, which verify each callback.
create index incoming_webhook_receiver_secrets_receiver
  on incoming_webhook_receiver_secrets (team_id, receiver_id);

-- One for each event of an accepted callback, and one for each refused callback up to a maximum. No
-- foreign keys: the parents are hot, and partitions are dropped whole.
create table inbound_deliveries (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  receiver_id uuid not null,
  receiver_kind text collate "C" not null,
  status text collate "C" not null,
  mode text collate "C",
  signature_status text collate "C" not null,
  is_test boolean not null default false,
  http_status smallint not null,
  event_type text collate "C",
  -- The callback that contained it, if that contained several events, and its index there.
  batch_id uuid,
  event_index int,
  provider_event_id text collate "C",
  dedup_key text collate "C",
  duplicate_count int not null default 0,
  do_message_id uuid,
  do_contact_id uuid,
  do_journey_id uuid,
  payload jsonb,
  headers jsonb,
  size_bytes int not null,
  body_sha256 text collate "C",
  attempts int not null default 0,
  next_attempt_at timestamptz(3),
  error jsonb,
  -- The resources of the receiver's team that it is about.
  message_id uuid,
  message_delivery_id uuid,
  contact_id uuid,
  journey_id uuid,
  engagement_event_id uuid,
  link_error text,
  -- Effects that are done; a replay applies only the others.
  effects text[] not null default '{}',
  received_at timestamptz(3) not null,
  processed_at timestamptz(3),
  replay_count int not null default 0,
  -- The latest replay that included it: no replay includes it twice.
  last_replay_id uuid,
  primary key (day, id)
) partition by range (day);
comment on table inbound_deliveries is 'Events of provider callbacks, with status and effects, partitioned by day.';
create table inbound_deliveries_default partition of inbound_deliveries default;
-- The default order of the list.
create index inbound_deliveries_list
  on inbound_deliveries (team_id, receiver_id, received_at desc, id desc);
-- The list by time of processing.
create index inbound_deliveries_processed
  on inbound_deliveries (team_id, receiver_id, processed_at, id);
-- The filter by type of event.
create index inbound_deliveries_event_type
  on inbound_deliveries (team_id, receiver_id, event_type, received_at desc, id desc);
-- The filter by status; nearly all rows are processed, and the list itself finds those.
create index inbound_deliveries_status
  on inbound_deliveries (team_id, receiver_id, status, received_at desc, id desc)
  where status <> 'processed';
-- The filter by signature; nearly all are verified, and the list itself finds those.
create index inbound_deliveries_signature
  on inbound_deliveries (team_id, receiver_id, signature_status, received_at desc, id desc)
  where signature_status <> 'verified';
-- The filter by the provider's id of an event.
create index inbound_deliveries_provider_event
  on inbound_deliveries (team_id, receiver_id, provider_event_id) where provider_event_id is not null;
-- The filter by contact.
create index inbound_deliveries_contact
  on inbound_deliveries (team_id, contact_id, received_at desc, id desc) where contact_id is not null;
-- The filter by message.
create index inbound_deliveries_message
  on inbound_deliveries (team_id, message_id, received_at desc, id desc) where message_id is not null;
-- The filter by the message id in the callback.
create index inbound_deliveries_do_message
  on inbound_deliveries (team_id, receiver_id, do_message_id) where do_message_id is not null;
-- The filter by the contact id in the callback.
create index inbound_deliveries_do_contact
  on inbound_deliveries (team_id, receiver_id, do_contact_id) where do_contact_id is not null;
-- The filter by the journey id in the callback.
create index inbound_deliveries_do_journey
  on inbound_deliveries (team_id, receiver_id, do_journey_id) where do_journey_id is not null;
-- Deliveries that the workflow of a receiver has to process or retry.
create index inbound_deliveries_due
  on inbound_deliveries (receiver_id, next_attempt_at) where next_attempt_at is not null;

-- The sealed bytes of a callback, by the id of its delivery or batch; stored for a week.
create table inbound_raw (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  receiver_id uuid not null,
  sealed_callback text not null,
  primary key (day, id)
) partition by range (day);
comment on table inbound_raw is 'Sealed bytes of callbacks, stored for a week, partitioned by day.';
create table inbound_raw_default partition of inbound_raw default;

-- The first acceptance of a deduplication key and the end of its window; the next acceptance after
-- the window overwrites the row.
create table inbound_dedup_keys (
  team_id uuid not null,
  receiver_id uuid not null,
  dedup_key text collate "C" not null,
  delivery_id uuid not null,
  day date not null,
  received_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (team_id, receiver_id, dedup_key)
);
comment on table inbound_dedup_keys is 'Deduplication keys of callbacks, with the end of their window.';
-- Ended windows, which maintenance deletes.
create index inbound_dedup_keys_expires_at on inbound_dedup_keys (expires_at);

-- Tokens of signatures that do not cover the body: each authenticates one event only.
create table inbound_tokens (
  team_id uuid not null,
  receiver_id uuid not null,
  token_hash bytea not null,
  -- The event that it authenticated.
  content_key text collate "C" not null,
  delivery_id uuid not null,
  day date not null,
  received_at timestamptz(3) not null default now(),
  primary key (team_id, receiver_id, token_hash)
);
comment on table inbound_tokens is 'Tokens of signatures that do not cover the body, each accepted for one event.';
-- Retention; tokens are inserted in the order of time.
create index inbound_tokens_received_at on inbound_tokens using brin (received_at);

-- Digests of signatures that do not cover the body (email_c). Such a signature depends on the key, so
-- it is known to every receiver with that key. It authenticates one body only.
create table inbound_proofs (
  proof_hash bytea primary key,
  body_sha256 text collate "C" not null,
  received_at timestamptz(3) not null default now()
);
comment on table inbound_proofs is 'Digests of signatures that do not cover the body, each accepted for one body.';
-- Retention; digests are inserted in the order of time.
create index inbound_proofs_received_at on inbound_proofs using brin (received_at);

-- Refused callbacks by the hour: how many have a row, and how many were only counted.
create table inbound_rejections (
  team_id uuid not null,
  receiver_id uuid not null,
  hour timestamptz(3) not null,
  stored int not null,
  dropped int not null,
  primary key (team_id, receiver_id, hour)
) with (fillfactor = 50);
comment on table inbound_rejections is 'Numbers of refused callbacks of a receiver by the hour.';
-- Old hours, which maintenance deletes.
create index inbound_rejections_hour on inbound_rejections (hour);

create table inbound_soft_bounces (
  team_id uuid not null,
  address text collate "C" not null,
  delivery_id uuid not null,
  bounced_at timestamptz(3) not null,
  primary key (team_id, address, delivery_id)
);
comment on table inbound_soft_bounces is 'Soft bounces of an address, which suppress it after three in a fortnight.';
-- Retention; bounces are inserted in the order of time.
create index inbound_soft_bounces_bounced_at on inbound_soft_bounces using brin (bounced_at);

create table inbound_replays (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  receiver_id uuid not null,
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'running', 'completed', 'canceled', 'failed')),
  -- The request: these deliveries, or those of a period with these values (null: any).
  delivery_ids uuid[],
  since timestamptz(3),
  until timestamptz(3),
  statuses text[],
  event_types text[],
  rate_per_second int not null check (rate_per_second between 1 and 10000),
  matched int not null,
  replayed int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  -- It continues after the cursor in the order (received_at, id), and ends before end_at.
  cursor_received_at timestamptz(3) not null,
  cursor_id uuid not null default '00000000-0000-0000-0000-000000000000',
  end_at timestamptz(3) not null,
  -- Counted up by each worker that takes it over, so that an earlier one can write nothing more.
  run_token int not null default 0,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (team_id, id),
  -- A replay belongs to a receiver of the same team.
  foreign key (team_id, receiver_id) references incoming_webhook_receivers (team_id, id)
) with (fillfactor = 50);
comment on table inbound_replays is 'Requests to replay callbacks, with their progress.';
-- A receiver has one open replay at a time.
create unique index inbound_replays_open
  on inbound_replays (team_id, receiver_id) where status in ('pending', 'running');
-- The default order of the list.
create index inbound_replays_default
  on inbound_replays (team_id, receiver_id, inserted_at desc, id desc);
-- Open replays without progress, which the reconciler signals again.
create index inbound_replays_stale
  on inbound_replays (updated_at) where status in ('pending', 'running');
