-- What share of the eligible contacts of a team has completed an objective, once a night, for
-- comparisons between teams.

create table objective_rates (
  team_id uuid not null references teams (id),
  key text collate "C" not null,
  eligible bigint not null,
  completed bigint not null,
  rate float8 not null generated always as (completed::float8 / greatest(eligible, 1)) stored,
  computed_at timestamptz(3) not null default now(),
  primary key (team_id, key)
);
create index objective_rates_key on objective_rates (key) include (team_id, eligible, rate);
