-- Cohorts: who is meant. Members are kept, so that lists, templates and rules of others ask a table.

create table cohorts (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  description text,
  kind text collate "C" not null check (kind in ('dynamic', 'static')),
  -- As it was sent; null for a static one.
  definition jsonb,
  definition_version int not null default 1,
  evaluation_mode text collate "C" not null check (evaluation_mode in ('scheduled', 'on_demand')),
  refresh_interval_seconds int,
  evaluation_status text collate "C" not null default 'never'
    check (evaluation_status in ('never', 'queued', 'evaluating', 'ready', 'failed')),
  member_count int not null default 0,
  last_evaluated_at timestamptz(3),
  last_evaluation_ms int,
  last_error text,
  -- When the schedule asks for the next evaluation.
  next_evaluation_at timestamptz(3),
  archived_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  constraint cohorts_definition check ((kind = 'dynamic') = (definition is not null))
);
create unique index cohorts_name on cohorts (team_id, lower(name collate "default"))
  where deleted_at is null;
create index cohorts_default on cohorts (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index cohorts_name_order on cohorts (team_id, name, id) where deleted_at is null;
create index cohorts_member_count on cohorts (team_id, member_count, id) where deleted_at is null;
create index cohorts_last_evaluated_at on cohorts (team_id, last_evaluated_at, id)
  where deleted_at is null;
create index cohorts_due on cohorts (next_evaluation_at)
  where next_evaluation_at is not null and deleted_at is null;

-- No foreign key to contacts: a million checks of it would be most of an evaluation.
create table cohort_members (
  team_id uuid not null,
  cohort_id uuid not null,
  contact_id uuid not null,
  joined_at timestamptz(3) not null default now(),
  primary key (team_id, cohort_id, contact_id),
  foreign key (team_id, cohort_id) references cohorts (team_id, id)
);
create index cohort_members_contact on cohort_members (team_id, contact_id, cohort_id);
create index cohort_members_default
  on cohort_members (team_id, cohort_id, joined_at desc, contact_id desc);
