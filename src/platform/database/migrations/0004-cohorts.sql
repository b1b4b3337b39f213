-- Cohorts of contacts. Members are stored, so that lists, templates and rules read a table.

create table cohorts (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  description text,
  kind text collate "C" not null check (kind in ('dynamic', 'static')),
  -- As the client sent it; null for a static cohort.
  definition jsonb,
  definition_version int not null default 1,
  -- The client that last set the definition: without its present rights there is no evaluation.
  set_by_client_id uuid,
  evaluation_mode text collate "C" not null
    check (evaluation_mode in ('realtime', 'scheduled', 'on_demand')),
  refresh_interval_seconds int,
  evaluation_status text collate "C" not null default 'never'
    check (evaluation_status in ('never', 'queued', 'evaluating', 'ready', 'failed')),
  member_count int not null default 0,
  last_evaluated_at timestamptz(3),
  last_evaluation_ms int,
  last_error text,
  -- When the schedule requests the next evaluation.
  next_evaluation_at timestamptz(3),
  -- False until an evaluation began after the end of every transaction that may have written
  -- without recording its changes for the cohort.
  is_caught_up boolean not null default true,
  archived_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  constraint cohorts_definition check ((kind = 'dynamic') = (definition is not null))
);
comment on table cohorts is 'Cohorts: rules that select contacts, and the state of their evaluation.';
-- A name belongs to one cohort of a team, compared without case.
create unique index cohorts_name on cohorts (team_id, folded(name)) where deleted_at is null;
-- The default order of the list.
create index cohorts_default on cohorts (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by name.
create index cohorts_name_order on cohorts (team_id, name, id) where deleted_at is null;
-- The list by size.
create index cohorts_member_count on cohorts (team_id, member_count, id) where deleted_at is null;
-- The list by last evaluation.
create index cohorts_last_evaluated_at on cohorts (team_id, last_evaluated_at, id)
  where deleted_at is null;
-- The list by last change.
create index cohorts_updated on cohorts (team_id, updated_at, id) where deleted_at is null;
-- Cohorts whose scheduled evaluation is due.
create index cohorts_due on cohorts (next_evaluation_at)
  where next_evaluation_at is not null and deleted_at is null;
-- Realtime cohorts of a team, which every recording trigger looks for.
create index cohorts_realtime on cohorts (team_id)
  where evaluation_mode = 'realtime' and archived_at is null and deleted_at is null;

-- One evaluation may insert a million members. So two indexes serve every query, and there are no
-- foreign keys, whose checks would be most of an evaluation; a statement checks the cohort once.
create table cohort_members (
  team_id uuid not null,
  cohort_id uuid not null,
  contact_id uuid not null,
  joined_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, cohort_id)
);
comment on table cohort_members is 'Contacts that belong to a cohort.';
-- The list of members, read backwards. The order is ascending, since the members of one evaluation
-- are then appended; a descending index would split a page for each full one.
create index cohort_members_default on cohort_members (team_id, cohort_id, joined_at, contact_id);
-- A new member may belong to a realtime cohort that names this one.
create trigger record_inserted after insert on cohort_members
  referencing new table as changed for each statement execute function record_changed_members();
-- A former member may leave a realtime cohort that names this one.
create trigger record_deleted after delete on cohort_members
  referencing old table as changed for each statement execute function record_changed_members();
-- A new member may be enrolled in templates that enroll on arrival.
create trigger record_arrivals after insert on cohort_members
  referencing new table as changed for each statement execute function record_arrivals();

-- Contacts whose membership is to be evaluated. Rows are appended, never merged: with a shared key
-- the writers of a contact would wait for each other.
create table cohort_changes (
  team_id uuid not null,
  id bigint generated always as identity,
  contact_id uuid not null,
  -- The only cohort to evaluate; null: every realtime cohort of the team.
  cohort_id uuid,
  inserted_at timestamptz(3) not null default clock_timestamp(),
  primary key (team_id, id)
);
comment on table cohort_changes is 'Changed contacts whose membership of realtime cohorts is to be evaluated.';

create table cohort_lanes (
  lane smallint primary key,
  first_team_id uuid not null,
  last_team_id uuid not null,
  signaled_at timestamptz(3) not null default '-infinity',
  leased_until timestamptz(3) not null default '-infinity'
);
comment on table cohort_lanes is 'Lanes that evaluate changed contacts, each for a range of teams, with their leases.';
insert into cohort_lanes (lane, first_team_id, last_team_id) values
  (0, '00000000-0000-0000-0000-000000000000', '7fffffff-ffff-ffff-ffff-ffffffffffff'),
  (1, '80000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff');

-- Contacts that joined a cohort from which a template enrolls. Rows are appended, never merged.
create table cohort_arrivals (
  team_id uuid not null,
  template_id uuid not null,
  id bigint generated always as identity,
  contact_id uuid not null,
  cohort_id uuid not null,
  arrived_at timestamptz(3) not null default clock_timestamp(),
  primary key (team_id, template_id, id)
);
comment on table cohort_arrivals is 'Contacts that joined a cohort from which a template enrolls.';
