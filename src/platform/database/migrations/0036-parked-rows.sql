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
