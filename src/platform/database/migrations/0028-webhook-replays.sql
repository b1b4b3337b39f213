-- Replays of what went out: what is asked for, and how far it has got.

create table webhook_replays (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  subscription_id uuid not null,
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'running', 'completed', 'canceled', 'failed')),
  -- What is wanted: these deliveries, or those of a window with these words (null: any).
  delivery_ids uuid[],
  since timestamptz(3),
  until timestamptz(3),
  statuses text[],
  event_types text[],
  rate_per_second int not null check (rate_per_second between 1 and 10000),
  matched int not null,
  -- Started over so far. What became of them is counted when somebody asks.
  replayed int not null default 0,
  skipped int not null default 0,
  -- It begins here, goes on behind the cursor, in the order (inserted_at, id), and ends before end_at.
  first_at timestamptz(3) not null,
  cursor_inserted_at timestamptz(3) not null,
  cursor_id uuid not null default '00000000-0000-0000-0000-000000000000',
  end_at timestamptz(3) not null,
  -- Counted up by whoever takes it over, so that a predecessor can write nothing more.
  run_token int not null default 0,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, subscription_id) references webhook_subscriptions (team_id, id)
) with (fillfactor = 50);
-- One at a time.
create unique index webhook_replays_open
  on webhook_replays (team_id, subscription_id) where status in ('pending', 'running');
create index webhook_replays_default
  on webhook_replays (team_id, subscription_id, inserted_at desc, id desc);
create index webhook_replays_untouched
  on webhook_replays (updated_at) where status in ('pending', 'running');

-- The replay that had it last: none has it twice.
alter table webhook_deliveries add column last_replay_id uuid;
create index webhook_deliveries_replayed
  on webhook_deliveries (last_replay_id, status) where last_replay_id is not null;
