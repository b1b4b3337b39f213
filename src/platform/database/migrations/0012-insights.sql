-- Rollups of deliveries, completion rates of objectives, and the cache of insights.

-- Sums of deliveries by the hour (UTC) in which their sending ended. Dirty hours and the last hours
-- are read from the deliveries, so that no answer is stale.
create table delivery_counts_hourly (
  team_id uuid not null,
  hour timestamptz(0) not null,
  message_id uuid not null,
  template_id uuid not null,
  channel text not null,
  -- The variant that was sent; empty for deliveries without one.
  variant_key text not null default '',
  sent int not null,
  delivered int not null,
  bounced int not null,
  failed int not null,
  opened int not null,
  opened_machine int not null,
  clicked int not null,
  unsubscribed int not null,
  complained int not null,
  primary key (team_id, hour, message_id, template_id, channel, variant_key)
);
comment on table delivery_counts_hourly is 'Sums of message deliveries by hour, for insights.';

-- The watermark of a team: all hours before it are summed, except for dirty ones.
create table delivery_rollup_progress (
  team_id uuid primary key references teams (id),
  rolled_up_until timestamptz(0) not null,
  -- Where the comparison with the deliveries continues.
  reconciled_until timestamptz(0) not null default '-infinity',
  -- When hours were last summed.
  touched_at timestamptz(3) not null default now()
);
comment on table delivery_rollup_progress is 'Watermark of a team, up to which its deliveries are summed.';

-- Hours whose sums are wrong. Rows are appended, never merged: with a shared key the writers of an
-- hour would wait for each other. A row commits with the change that it is about.
create table delivery_rollup_dirty_hours (
  team_id uuid not null,
  hour timestamptz(0) not null,
  id bigint generated always as identity,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, hour, id)
);
comment on table delivery_rollup_dirty_hours is 'Hours whose sums are to be computed again.';

-- The share of the eligible contacts of a team that have completed an objective, computed once a
-- night, for comparisons between teams.
create table objective_rates (
  team_id uuid not null references teams (id),
  key text collate "C" not null,
  eligible bigint not null,
  completed bigint not null,
  rate float8 not null generated always as (completed::float8 / greatest(eligible, 1)) stored,
  computed_at timestamptz(3) not null default now(),
  primary key (team_id, key)
);
comment on table objective_rates is 'Completion rate of each objective of a team, for comparisons between teams.';
-- The rates of all teams for an objective, from this index alone.
create index objective_rates_key on objective_rates (key) include (team_id, eligible, rate);

-- Answers of slow insights. The worker refreshes an entry as long as it is requested.
create table insight_cache (
  team_id uuid not null references teams (id),
  -- SHA-256 of the question, which may be longer than an index allows.
  key text collate "C" not null,
  question json not null,
  -- Null: the answer takes longer than a request may, and the worker computes it.
  answer json,
  expires_at timestamptz(3) not null,
  -- Time of the last request, to the hour.
  asked_at timestamptz(3) not null,
  primary key (team_id, key)
);
comment on table insight_cache is 'Answers of slow insights, with the end of their validity.';
-- Entries to refresh or to delete.
create index insight_cache_expiry on insight_cache (expires_at);
