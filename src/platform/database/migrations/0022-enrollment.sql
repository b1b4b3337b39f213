-- How contacts come into templates, and what journeys ask of the version that they keep.

-- The small part of a version, so that nobody reads its texts for it.
create function ids_in(list jsonb) returns uuid[] language sql immutable as $$
  select coalesce(array_agg(one::uuid order by place), '{}')
  from jsonb_array_elements_text(coalesce(list, '[]')) with ordinality as listed (one, place)
$$;
-- Messages that wait for something to happen: [{"id": …, "trigger": {…}}].
create function awaiting_in(messages jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', one -> 'id', 'trigger', one -> 'trigger')), '[]')
  from jsonb_array_elements(coalesce(messages, '[]')) as listed (one)
  where one -> 'trigger' ->> 'kind' in ('on_event', 'on_page')
$$;
alter table template_versions
  add column objective_ids uuid[] not null
    generated always as (ids_in(content -> 'objective_ids')) stored,
  add column exit_on_objectives boolean not null
    generated always as (coalesce((content ->> 'exit_on_objectives')::boolean, true)) stored,
  add column page_count int not null
    generated always as (coalesce(jsonb_array_length(content -> 'pages'), 0)) stored,
  add column awaiting jsonb not null
    generated always as (awaiting_in(content -> 'messages')) stored;

create index journeys_deadline on journeys (team_id, deadline_at, id);
create index journeys_held on journeys (team_id, template_id, id) where was_due_when_paused;

-- The members of cohorts on their way into a template, page by page: those of its launch (the id is
-- the template's), and those that an execution enrolls (a digest of the run and what it asks).
create table enrollment_scans (
  team_id uuid not null,
  id uuid not null,
  template_id uuid not null,
  cohort_ids uuid[] not null,
  -- Members from before this moment; who was enrolled since is not enrolled again.
  started_at timestamptz(3) not null default clock_timestamp(),
  -- Which of the cohorts, from 1, and the last member of it that was looked at.
  position int not null default 1,
  after_joined_at timestamptz(3) not null default '-infinity',
  after_contact_id uuid not null default '00000000-0000-0000-0000-000000000000',
  seen_count bigint not null default 0,
  enrolled_count bigint not null default 0,
  finished_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, template_id) references templates (team_id, id)
);

-- Templates whose journeys are to be started, moved or ended together, until that is done.
create table journey_resyncs (
  team_id uuid not null,
  template_id uuid not null,
  -- Counts how often it was asked for, so that it is not forgotten with what was asked before.
  revision bigint not null default 1,
  -- When somebody looked at it last, or asked.
  touched_at timestamptz(3) not null default clock_timestamp(),
  primary key (team_id, template_id)
);
create index journey_resyncs_touched on journey_resyncs (touched_at);

-- Contacts that came to a cohort which a template takes its recipients from. Noted by the database
-- itself, as no way to write memberships can then forget it; appended, never merged.
create table cohort_arrivals (
  team_id uuid not null,
  template_id uuid not null,
  id bigint generated always as identity,
  contact_id uuid not null,
  cohort_id uuid not null,
  arrived_at timestamptz(3) not null default clock_timestamp(),
  primary key (team_id, template_id, id)
);
create index templates_on_arrival on templates (team_id, id)
  where entry = 'on_cohort_entry' and status in ('launched', 'paused') and deleted_at is null;

create function record_arrivals() returns trigger language plpgsql as $$
begin
  with noted as (
    insert into cohort_arrivals (team_id, template_id, contact_id, cohort_id)
    select n.team_id, t.id, n.contact_id, n.cohort_id
    from changed n
    join templates t on t.team_id = n.team_id and t.entry = 'on_cohort_entry'
      and t.status in ('launched', 'paused') and t.deleted_at is null
      and t.target_cohort_ids @> array[n.cohort_id]
    returning team_id, template_id
  )
  insert into workflow_outbox (workflow, key, team_id)
  select distinct 'template', template_id, team_id from noted;
  return null;
end $$;
create trigger record_arrivals after insert on cohort_members
  referencing new table as changed for each statement execute function record_arrivals();

-- For the cohorts that follow changes and name the template in a rule about journeys. More changes
-- than a lane drains in seconds make them due for an evaluation of all contacts, which takes less.
create function record_journeys(team uuid, template uuid, contacts uuid[]) returns void
language plpgsql as $$
declare
  follower uuid;
begin
  for follower in
    select c.id from cohorts c
    where c.team_id = team and c.evaluation_mode = 'realtime' and c.archived_at is null
      and c.deleted_at is null and strpos(lower(c.definition::text), template::text) > 0
  loop
    if cardinality(contacts) > 5000 then
      update cohorts set evaluation_status = 'queued', next_evaluation_at = clock_timestamp()
      where team_id = team and id = follower;
      insert into workflow_outbox (workflow, key, team_id) values ('cohort', follower, team);
    else
      insert into cohort_changes (team_id, contact_id, cohort_id)
      select team, contact, follower from unnest(contacts) as contact;
    end if;
  end loop;
end $$;

create function record_new_journeys() returns trigger language plpgsql as $$
begin
  perform record_journeys(n.team_id, n.template_id, array_agg(n.contact_id))
  from new_rows n group by n.team_id, n.template_id;
  return null;
end $$;
create function record_moved_journeys() returns trigger language plpgsql as $$
begin
  perform record_journeys(n.team_id, n.template_id, array_agg(distinct c.contact_id))
  from new_rows n join old_rows o on o.team_id = n.team_id and o.id = n.id
    cross join lateral (values (n.contact_id), (o.contact_id)) as c (contact_id)
  where n.status <> o.status or n.contact_id <> o.contact_id
  group by n.team_id, n.template_id;
  return null;
end $$;
create trigger record_inserted after insert on journeys
  referencing new table as new_rows for each statement execute function record_new_journeys();
create trigger record_updated after update on journeys
  referencing new table as new_rows old table as old_rows
  for each statement execute function record_moved_journeys();

-- As before, but that a wake names its cohort by the id and not by a text, which Postgres refused.
create or replace function record_changed_members() returns trigger language plpgsql as $$
declare
  about record;
begin
  for about in
    select n.team_id, n.cohort_id, count(*) as changes, c.id as follower
    from changed n
    join cohorts c
      on c.team_id = n.team_id and c.evaluation_mode = 'realtime' and c.archived_at is null
        and c.deleted_at is null and strpos(lower(c.definition::text), n.cohort_id::text) > 0
    group by n.team_id, n.cohort_id, c.id
  loop
    if about.changes > 5000 then
      update cohorts set evaluation_status = 'queued', next_evaluation_at = clock_timestamp()
      where team_id = about.team_id and id = about.follower;
      insert into workflow_outbox (workflow, key, team_id)
      values ('cohort', about.follower, about.team_id);
    else
      insert into cohort_changes (team_id, contact_id, cohort_id)
      select n.team_id, n.contact_id, about.follower from changed n
      where n.team_id = about.team_id and n.cohort_id = about.cohort_id;
    end if;
  end loop;
  return null;
end $$;
