-- Outbound webhooks: subscriptions, events with their exact bytes, deliveries, attempts and replays.

create table webhook_subscriptions (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text,
  description text,
  target_url text not null,
  event_types text[] not null,
  -- Read scopes of the token that last set the event types: an event about a resource that the token
  -- could not read is sent without its data.
  read_scopes text[] not null default '{}',
  -- The client that last set address or event types: its present rights count at each delivery.
  set_by_client_id uuid,
  is_active boolean not null,
  is_disabled_for_failures boolean not null default false,
  -- Decides the lane of its deliveries: a lane owns a range of 0–255.
  shard smallint not null default floor(random() * 256)::smallint,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table webhook_subscriptions is 'Webhook subscriptions: target URL, event types and status.';
-- The default order of the list.
create index webhook_subscriptions_default on webhook_subscriptions (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by name.
create index webhook_subscriptions_name on webhook_subscriptions (team_id, name collate "C", id)
  where deleted_at is null;
-- The list by last change.
create index webhook_subscriptions_updated on webhook_subscriptions (team_id, updated_at, id)
  where deleted_at is null;

-- The state that deliveries change. It is a row of its own, so that the subscription and its version
-- stay unchanged.
create table webhook_subscription_states (
  team_id uuid not null,
  subscription_id uuid not null,
  -- True: the recovery workflow owns every delivery of the subscription, and no lane sends them.
  owned_by_recovery boolean not null default false,
  -- When the recovery is due next; only while owned_by_recovery.
  recovery_due_at timestamptz(3),
  -- Counts changes of the owner; an owner with an older number may write nothing more.
  recovery_token bigint not null default 0,
  consecutive_permanent_failures int not null default 0,
  last_delivered_at timestamptz(3),
  last_error text,
  failing_since timestamptz(3),
  -- Circuit breaker: attempts and failures of the current minute, and the next probe while it is
  -- open.
  window_started_at timestamptz(3),
  window_tries int not null default 0,
  window_failures int not null default 0,
  probe_pause_ms int,
  probe_at timestamptz(3),
  -- Attempts are held back until then; tests and manual retries are not.
  paused_until timestamptz(3),
  -- The URL was changed: once a probe succeeds, all waiting deliveries become due.
  retry_all_after_probe boolean not null default false,
  failing_noticed_at timestamptz(3),
  disabled_reason text,
  -- Sequence of the events about the subscription itself.
  event_sequence bigint not null default 0,
  primary key (team_id, subscription_id),
  -- A state belongs to a subscription of the same team.
  foreign key (team_id, subscription_id) references webhook_subscriptions (team_id, id)
);
comment on table webhook_subscription_states is 'State of a subscription that its deliveries change: failures, circuit breaker, recovery.';
-- Recoveries that are due.
create index webhook_subscription_states_recovering on webhook_subscription_states (recovery_due_at)
  where owned_by_recovery;

-- Sealed signing secrets; two are live while one is being replaced.
create table webhook_secrets (
  team_id uuid not null,
  subscription_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sealed_secret text not null,
  hint text not null,
  expires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A secret belongs to a subscription of the same team.
  foreign key (team_id, subscription_id) references webhook_subscriptions (team_id, id)
);
comment on table webhook_secrets is 'Sealed signing secrets of subscriptions, two while one is being replaced.';
-- The secrets of a subscription, which sign each delivery.
create index webhook_secrets_subscription on webhook_secrets (team_id, subscription_id);

-- Settings of deliveries to a subscription; without a row the defaults apply. The version is that of
-- the subscription, by which senders detect that their copy is out of date.
create table webhook_delivery_settings (
  team_id uuid not null,
  subscription_id uuid not null,
  timeout_seconds int,
  -- Further request headers: their names, and names with values as sealed JSON.
  header_names text[] not null default '{}',
  sealed_headers text,
  headers_changed_at timestamptz(3),
  -- Key pair of signatures that can be verified without a secret.
  public_key text,
  sealed_private_key text,
  ordering text not null default 'none',
  rate_limit_per_second int,
  max_concurrency int,
  -- When the next delivery may start. Stored here, the rate is shared by lanes and recoveries and
  -- outlives a process.
  next_slot_at timestamptz,
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, subscription_id),
  -- Settings belong to a subscription of the same team.
  foreign key (team_id, subscription_id) references webhook_subscriptions (team_id, id)
);
comment on table webhook_delivery_settings is 'Settings of the deliveries to a subscription: timeout, headers, order and limits.';

create table webhook_events (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  type text not null,
  resource_id uuid not null,
  sequence bigint not null,
  -- The bytes that every attempt of every delivery sends.
  body text not null,
  is_erased boolean not null default false,
  -- Header traceparent (W3C Trace Context) of the request that caused it; null: it is not traced.
  traceparent text,
  inserted_at timestamptz(3) not null,
  primary key (day, id)
) partition by range (day);
comment on table webhook_events is 'append-only: events with the bytes that are sent, partitioned by day.';
create table webhook_events_default partition of webhook_events default;
-- The events about a resource. The team comes second: while a new day has no statistics, the planner
-- would join an index that begins with the team by reading every event of the team.
create index webhook_events_resource on webhook_events (resource_id, team_id);

-- Orders deliveries as they were recorded: their ids are UUID v4, which have no order.
create sequence webhook_delivery_positions;
-- One for each event and matching subscription. No foreign keys: the parents are hot, and partitions
-- are dropped whole.
create table webhook_deliveries (
  day date not null,
  id uuid not null default gen_random_uuid(),
  position bigint not null default nextval('webhook_delivery_positions'),
  team_id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  shard smallint not null,
  status text not null,
  trigger text not null default 'event',
  -- Why it was not delivered, once it has failed for good.
  error_code text,
  http_status int,
  attempt_count int not null default 0,
  -- Attempts that used a step of the schedule; probes use none.
  schedule_step int not null default 0,
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  -- The maximum age counts from here: the event, or the latest replay or manual retry.
  renewed_at timestamptz(3) not null,
  completed_at timestamptz(3),
  -- The latest replay that included it: no replay includes it twice.
  last_replay_id uuid,
  inserted_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (day, id)
) partition by range (day);
comment on table webhook_deliveries is 'Deliveries of an event to a subscription, with status and next attempt, partitioned by day.';
create table webhook_deliveries_default partition of webhook_deliveries default;
-- Pending deliveries in the order in which lanes send them: shard, subscription, position.
create index webhook_deliveries_waiting
  on webhook_deliveries (shard, subscription_id, position) where status = 'pending';
-- Deliveries that the recovery of a subscription still has to settle.
create index webhook_deliveries_unsettled
  on webhook_deliveries (subscription_id, next_attempt_at) where status in ('pending', 'retrying');
-- The deliveries of a subscription, newest first.
create index webhook_deliveries_list
  on webhook_deliveries (team_id, subscription_id, inserted_at desc, id desc);
-- The outcomes of a replay.
create index webhook_deliveries_replayed
  on webhook_deliveries (last_replay_id, status) where last_replay_id is not null;

create table webhook_attempts (
  day date not null,
  id uuid not null default gen_random_uuid(),
  delivery_id uuid not null,
  number int not null,
  team_id uuid not null,
  subscription_id uuid not null,
  trigger text not null,
  url text not null,
  remote_ip text,
  requested_at timestamptz(3) not null,
  responded_at timestamptz(3),
  duration_ms int not null,
  http_status int,
  response_headers jsonb,
  response_body text,
  response_truncated boolean not null default false,
  error_code text,
  error_detail text,
  next_attempt_at timestamptz(3),
  primary key (day, delivery_id, number)
) partition by range (day);
comment on table webhook_attempts is 'append-only: attempts to send a delivery, with the answer of the receiver, partitioned by day.';
create table webhook_attempts_default partition of webhook_attempts default;

create table webhook_replays (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  subscription_id uuid not null,
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
  -- Deliveries sent again so far; their outcomes are counted when they are read.
  replayed int not null default 0,
  skipped int not null default 0,
  -- It starts at first_at, continues after the cursor in the order (inserted_at, id), and ends before
  -- end_at.
  first_at timestamptz(3) not null,
  cursor_inserted_at timestamptz(3) not null,
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
  -- A replay belongs to a subscription of the same team.
  foreign key (team_id, subscription_id) references webhook_subscriptions (team_id, id)
) with (fillfactor = 50);
comment on table webhook_replays is 'Requests to replay webhook deliveries, with their progress.';
-- A subscription has one open replay at a time.
create unique index webhook_replays_open
  on webhook_replays (team_id, subscription_id) where status in ('pending', 'running');
-- The default order of the list.
create index webhook_replays_default
  on webhook_replays (team_id, subscription_id, inserted_at desc, id desc);
-- Open replays without progress, which the reconciler signals again.
create index webhook_replays_stale
  on webhook_replays (updated_at) where status in ('pending', 'running');

create table webhook_lanes (
  lane int primary key,
  token bigint not null default 0,
  signaled_at timestamptz not null default '-infinity'::timestamptz,
  leased_until timestamptz not null default '-infinity'::timestamptz,
  owner_pid int
);
comment on table webhook_lanes is 'Lanes that send first attempts, each for a range of shards, with their leases.';
comment on column webhook_lanes.owner_pid is 'Postgres backend of the LISTEN connection of the process that holds the lease: the two end together.';
insert into webhook_lanes (lane) select generate_series(0, 255);
