-- Journeys: the way of one contact through one template. Rows hold what is due next, and a few lanes
-- process them, so that a million waiting recipients need no workflow each.

create table journeys (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  template_id uuid not null,
  -- The version of the content, which later edits do not change.
  template_version int not null,
  contact_id uuid not null,
  -- Number of the enrollment of the contact in the template, from 1.
  seq int not null default 1,
  -- "scheduled" until a lane has started it; only then its first steps are known.
  status text collate "C" not null default 'scheduled' check (status in (
    'scheduled', 'active', 'paused', 'completed', 'exited', 'expired', 'canceled', 'failed')),
  exit_reason text collate "C" check (exit_reason in (
    'objectives_completed', 'unsubscribed', 'suppressed', 'left_cohort', 'canceled_by_user',
    'template_archived', 'deadline', 'contact_archived', 'error')),
  enrolled_via text collate "C" not null check (enrolled_via in (
    'api', 'cohort', 'batch', 'ipaas', 'widget')),
  cohort_id uuid,
  -- Control group: it runs as any other journey, and all its messages are skipped.
  is_holdout boolean not null default false,
  enrolled_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  paused_at timestamptz(3),
  completed_at timestamptz(3),
  -- When it ended in any other way.
  exited_at timestamptz(3),
  deadline_at timestamptz(3),
  current_page_id uuid,
  last_engaged_at timestamptz(3),
  -- Steps whose time is known: {"<message id>": {"due_at": …}}.
  scheduled_steps jsonb not null default '{}',
  -- Messages that were decided, sent or not: none is decided twice.
  decided_message_ids uuid[] not null default '{}',
  -- The earliest of `scheduled_steps`, or the time of the start; null where nothing is due.
  next_due_at timestamptz(3),
  -- It was due while its template was paused; the resume gives it a due time again.
  was_due_when_paused boolean not null default false,
  -- Part of the link's secret: a new link invalidates the older ones.
  link_generation int not null default 1,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A journey belongs to a template of the same team.
  foreign key (team_id, template_id) references templates (team_id, id),
  constraint journeys_ended check (
    (status = 'completed') = (completed_at is not null)
    and (status in ('exited', 'expired', 'canceled', 'failed')) = (exited_at is not null)
    and ((status in ('scheduled', 'active')) or next_due_at is null)
    and ((status = 'paused') = (paused_at is not null)))
);
comment on table journeys is 'Journeys of contacts through a template, with their next due time.';
-- A contact has one open journey in a template.
create unique index journeys_open on journeys (team_id, template_id, contact_id)
  where status in ('scheduled', 'active', 'paused');
-- Each enrollment of a contact in a template has its own number.
create unique index journeys_seq on journeys (team_id, template_id, contact_id, seq);
-- The default order of the list; insights read the included columns without the wide rows.
create index journeys_default on journeys (team_id, enrolled_at desc, id desc)
  include (template_id, contact_id, is_holdout, enrolled_via, cohort_id, seq);
-- The filter by contact.
create index journeys_contact on journeys (team_id, contact_id, enrolled_at desc, id desc);
-- The filter by template.
create index journeys_template on journeys (team_id, template_id, enrolled_at desc, id desc);
-- The filter by status.
create index journeys_status on journeys (team_id, status, enrolled_at desc, id desc);
-- The list by last engagement.
create index journeys_last_engaged on journeys (team_id, last_engaged_at, id);
-- The list by deadline.
create index journeys_deadline on journeys (team_id, deadline_at, id);
-- The list by last change.
create index journeys_updated on journeys (team_id, updated_at, id);
-- Open journeys of a template, for changes of all of them.
create index journeys_of_template on journeys (team_id, template_id, id)
  where status in ('scheduled', 'active', 'paused');
-- Open journeys of a cohort, to end those of contacts that left it.
create index journeys_cohort on journeys (team_id, cohort_id, id)
  where cohort_id is not null and status in ('scheduled', 'active', 'paused');
-- Journeys that the resume of their template makes due.
create index journeys_due_when_paused on journeys (team_id, template_id, id)
  where was_due_when_paused;
-- The next due journeys of a lane.
create index journeys_due on journeys (lane_of_contact(contact_id), next_due_at)
  where next_due_at is not null;
-- The next due journeys of a template, to divide a lane fairly between teams and templates.
create index journeys_due_of_template
  on journeys (lane_of_contact(contact_id), team_id, template_id, next_due_at)
  where next_due_at is not null;
-- Counts enrolled and open journeys of templates.
create trigger journeys_inserted after insert on journeys
  referencing new table as new_rows
  for each statement execute function count_journeys();
-- Counts journeys that end or start again.
create trigger journeys_updated after update on journeys
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_journeys();
-- A new journey may move its contact into or out of a realtime cohort.
create trigger record_inserted after insert on journeys
  referencing new table as new_rows for each statement execute function record_new_journeys();
-- So may a journey whose status or contact changes.
create trigger record_updated after update on journeys
  referencing new table as new_rows old table as old_rows
  for each statement execute function record_moved_journeys();

create table journey_data (
  team_id uuid not null,
  journey_id uuid not null,
  sealed_data text not null,
  primary key (team_id, journey_id),
  -- Data belongs to a journey of the same team, and is deleted with it.
  foreign key (team_id, journey_id) references journeys (team_id, id) on delete cascade
);
comment on table journey_data is 'Data of enrollments for the messages of journeys, until they end.';

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
comment on table journey_watches is 'Journeys that a workflow of their own shows to operators.';
-- Watches whose workflow was lost.
create index journey_watches_touched on journey_watches (touched_at);

-- Enrolled and open journeys of a template: each figure is the sum of up to 16 rows, so that writers
-- do not wait for each other.
create table template_journey_counts (
  team_id uuid not null,
  template_id uuid not null,
  slot smallint not null,
  enrolled bigint not null default 0,
  open bigint not null default 0,
  primary key (team_id, template_id, slot)
) with (fillfactor = 50);
comment on table template_journey_counts is 'Numbers of enrolled and open journeys of a template, as the sum of several rows.';

-- Enrollments of the members of cohorts, page by page: those of a launch (the id is the template's),
-- and those of an operation (a digest of the run and the request).
create table enrollment_scans (
  team_id uuid not null,
  id uuid not null,
  template_id uuid not null,
  cohort_ids uuid[] not null,
  -- Members who joined before this moment; a contact enrolled since then is not enrolled again.
  started_at timestamptz(3) not null default clock_timestamp(),
  -- Number of the current cohort, from 1, and the last member of it that was processed.
  position int not null default 1,
  after_joined_at timestamptz(3) not null default '-infinity',
  after_contact_id uuid not null default '00000000-0000-0000-0000-000000000000',
  seen_count bigint not null default 0,
  enrolled_count bigint not null default 0,
  finished_at timestamptz(3),
  primary key (team_id, id),
  -- A scan belongs to a template of the same team.
  foreign key (team_id, template_id) references templates (team_id, id)
);
comment on table enrollment_scans is 'Progress of enrollments of the members of cohorts.';

create table journey_resyncs (
  team_id uuid not null,
  template_id uuid not null,
  -- Counts requests, so that a request during the work is not lost with the one before.
  revision bigint not null default 1,
  -- The revision that the current deadline is for.
  deadline_revision bigint not null default 0,
  -- The last journey that was given the deadline; null: all have it.
  deadline_cursor uuid,
  -- Time of the last request or of the last progress.
  touched_at timestamptz(3) not null default clock_timestamp(),
  primary key (team_id, template_id)
);
comment on table journey_resyncs is 'Templates whose journeys are to be started, moved or ended together.';
-- Resyncs without progress, which the reconciler signals again.
create index journey_resyncs_touched on journey_resyncs (touched_at);

create table journey_lanes (
  lane smallint primary key,
  signaled_at timestamptz(3) not null default '-infinity',
  leased_until timestamptz(3) not null default '-infinity'
);
comment on table journey_lanes is 'Lanes that process due journeys, each for a quarter of all contacts, with their leases.';
insert into journey_lanes (lane) select generate_series(0, 3);

create table template_rate_windows (
  team_id uuid not null,
  template_id uuid not null,
  next_at timestamptz(3) not null,
  primary key (team_id, template_id),
  -- A window belongs to a template of the same team.
  foreign key (team_id, template_id) references templates (team_id, id)
);
comment on table template_rate_windows is 'Earliest time of the next message of a template with a send rate.';
