-- Outbound webhooks: subscriptions, events with their frozen bytes, deliveries and attempts.

create table webhook_subscriptions (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text,
  description text,
  target_url text not null,
  event_types text[] not null,
  is_active boolean not null,
  is_disabled_for_failures boolean not null default false,
  -- Where its deliveries run: lanes own ranges of 0–255.
  shard smallint not null default floor(random() * 256)::smallint,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
create index webhook_subscriptions_default on webhook_subscriptions (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index webhook_subscriptions_name on webhook_subscriptions (team_id, name collate "C", id)
  where deleted_at is null;

-- What deliveries change, beside the subscription, so that its own row and version stay still.
create table webhook_subscription_states (
  team_id uuid not null,
  subscription_id uuid not null,
  -- True: the recovery workflow owns every delivery of the subscription, no lane touches them.
  owned_by_recovery boolean not null default false,
  -- When the recovery is due next; meaningful only while held.
  recovery_due_at timestamptz(3),
  -- Counts up with each take-over; whoever holds an older number may not record any more.
  recovery_token bigint not null default 0,
  consecutive_permanent_failures int not null default 0,
  last_delivered_at timestamptz(3),
  last_error text,
  failing_since timestamptz(3),
  -- Circuit breaker: tries and failures of the current minute, and the next probe while it is open.
  window_started_at timestamptz(3),
  window_tries int not null default 0,
  window_failures int not null default 0,
  probe_pause_ms int,
  probe_at timestamptz(3),
  -- The address was changed: once a probe succeeds, all that waits is due at once.
  retry_all_after_probe boolean not null default false,
  failing_noticed_at timestamptz(3),
  disabled_reason text,
  -- Sequence of the events about the subscription itself.
  event_sequence bigint not null default 0,
  primary key (team_id, subscription_id),
  foreign key (team_id, subscription_id) references webhook_subscriptions (team_id, id)
);
create index webhook_subscription_states_held on webhook_subscription_states (recovery_due_at)
  where owned_by_recovery;

-- Signing secrets, sealed; two live while one is being replaced.
create table webhook_secrets (
  team_id uuid not null,
  subscription_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sealed_secret text not null,
  hint text not null,
  expires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, subscription_id) references webhook_subscriptions (team_id, id)
);
create index webhook_secrets_subscription on webhook_secrets (team_id, subscription_id);

create table webhook_events (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  type text not null,
  resource_id uuid not null,
  sequence bigint not null,
  -- The bytes that every attempt of every delivery sends.
  body text not null,
  inserted_at timestamptz(3) not null,
  primary key (day, id)
) partition by range (day);
comment on table webhook_events is 'append-only: events with their frozen bytes';
create table webhook_events_default partition of webhook_events default;

-- One per event and matching subscription. No foreign keys: the parents are hot, and partitions
-- are dropped whole.
create table webhook_deliveries (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  shard smallint not null,
  status text not null,
  trigger text not null default 'event',
  -- Why it was not delivered, once that is certain.
  error_code text,
  http_status int,
  attempt_count int not null default 0,
  -- Attempts that used up a step of the schedule; probes do not.
  schedule_step int not null default 0,
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  -- The age limit counts from here: the event, or its latest replay or manual retry.
  renewed_at timestamptz(3) not null,
  completed_at timestamptz(3),
  inserted_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (day, id)
) partition by range (day);
create table webhook_deliveries_default partition of webhook_deliveries default;
-- What waits, in the order in which lanes walk it: shard, subscription, age.
create index webhook_deliveries_waiting
  on webhook_deliveries (shard, subscription_id, inserted_at, id) where status = 'pending';
-- What the recovery of a subscription still has to settle.
create index webhook_deliveries_unsettled
  on webhook_deliveries (subscription_id, next_attempt_at) where status in ('pending', 'retrying');
create index webhook_deliveries_list
  on webhook_deliveries (team_id, subscription_id, inserted_at desc, id desc);

create table webhook_attempts (
  day date not null,
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
comment on table webhook_attempts is 'append-only: what was sent and what came back';
create table webhook_attempts_default partition of webhook_attempts default;

-- One row per lane: who drains it, and since when.
create table webhook_lanes (
  lane int primary key,
  token bigint not null default 0,
  signaled_at timestamptz not null default '-infinity'::timestamptz,
  leased_until timestamptz not null default '-infinity'::timestamptz
);
insert into webhook_lanes (lane) select generate_series(0, 255);
