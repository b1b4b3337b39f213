-- Journeys that have a workflow of their own, which shows operators how they go on.

create table journey_watches (
  team_id uuid not null,
  journey_id uuid not null,
  -- "requested" by a client or an operator; "overdue": a step was not made at its time.
  reason text collate "C" not null check (reason in ('requested', 'overdue')),
  watched_until timestamptz(3) not null,
  -- When the workflow last read the journey.
  touched_at timestamptz(3) not null default now(),
  primary key (team_id, journey_id),
  -- A watch ends with its journey.
  foreign key (team_id, journey_id) references journeys (team_id, id) on delete cascade
);
-- Watches whose workflow was lost.
create index journey_watches_touched on journey_watches (touched_at);
comment on table journey_watches is 'Journeys that a workflow of their own shows to operators.';
