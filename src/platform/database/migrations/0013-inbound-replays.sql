-- Replays of what came in: what is asked for, and how far it has got.

create table inbound_replays (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  receiver_id uuid not null,
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
  replayed int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  -- It goes on behind this place, in the order (received_at, id), and ends before end_at.
  cursor_received_at timestamptz(3) not null,
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
  foreign key (team_id, receiver_id) references incoming_webhook_receivers (team_id, id)
) with (fillfactor = 50);
-- One at a time.
create unique index inbound_replays_open
  on inbound_replays (team_id, receiver_id) where status in ('pending', 'running');
create index inbound_replays_default
  on inbound_replays (team_id, receiver_id, inserted_at desc, id desc);
create index inbound_replays_untouched
  on inbound_replays (updated_at) where status in ('pending', 'running');

-- The replay that had it last: none has it twice.
alter table inbound_deliveries add column last_replay_id uuid;
