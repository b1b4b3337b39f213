-- Cohorts that follow every change. The database itself notes whose rows have changed, in the
-- transaction that changes them, so that no way to write can forget it; where the team has no such
-- cohort that costs one look at an index.

alter table cohorts
  drop constraint cohorts_evaluation_mode_check,
  add constraint cohorts_evaluation_mode_check
    check (evaluation_mode in ('realtime', 'scheduled', 'on_demand')),
  -- False until an evaluation has begun after the end of every transaction that may have written
  -- without noting it for the cohort.
  add column is_caught_up boolean not null default true;
create index cohorts_realtime on cohorts (team_id)
  where evaluation_mode = 'realtime' and archived_at is null and deleted_at is null;

-- A million members come with one evaluation: two indexes serve every question, and the cohort is
-- looked up once, by the statement, not for each row.
alter table cohort_members
  drop constraint cohort_members_team_id_cohort_id_fkey,
  drop constraint cohort_members_pkey,
  add primary key (team_id, contact_id, cohort_id);
drop index cohort_members_contact;

-- Contacts whose membership is to be looked at. Appended, never merged: a shared key would make one
-- writer per contact.
create table cohort_changes (
  team_id uuid not null,
  id bigint generated always as identity,
  contact_id uuid not null,
  -- The one cohort that is to look; null: every one that follows changes.
  cohort_id uuid,
  inserted_at timestamptz(3) not null default clock_timestamp(),
  primary key (team_id, id)
);

-- Who drains them: each lane has a range of teams.
create table cohort_lanes (
  lane smallint primary key,
  first_team_id uuid not null,
  last_team_id uuid not null,
  signaled_at timestamptz(3) not null default '-infinity',
  leased_until timestamptz(3) not null default '-infinity'
);
insert into cohort_lanes (lane, first_team_id, last_team_id) values
  (0, '00000000-0000-0000-0000-000000000000', '7fffffff-ffff-ffff-ffff-ffffffffffff'),
  (1, '80000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff');

create function record_changed_contacts() returns trigger language plpgsql as $$
begin
  insert into cohort_changes (team_id, contact_id)
  select team_id, id from changed n
  where exists (
    select from cohorts c
    where c.team_id = n.team_id and c.evaluation_mode = 'realtime' and c.archived_at is null
      and c.deleted_at is null);
  return null;
end $$;

create function record_contacts_of_changed() returns trigger language plpgsql as $$
begin
  insert into cohort_changes (team_id, contact_id)
  select distinct team_id, contact_id from changed n
  where contact_id is not null and exists (
    select from cohorts c
    where c.team_id = n.team_id and c.evaluation_mode = 'realtime' and c.archived_at is null
      and c.deleted_at is null);
  return null;
end $$;

-- Rows may go from one contact to another.
create function record_contacts_of_moved() returns trigger language plpgsql as $$
begin
  insert into cohort_changes (team_id, contact_id)
  select team_id, contact_id
  from (select team_id, contact_id from changed union select team_id, contact_id from former) n
  where contact_id is not null and exists (
    select from cohorts c
    where c.team_id = n.team_id and c.evaluation_mode = 'realtime' and c.archived_at is null
      and c.deleted_at is null);
  return null;
end $$;

-- For the cohorts that name the one whose members change. More changes than a lane drains in
-- seconds make them due for an evaluation of all contacts, which takes less.
create function record_changed_members() returns trigger language plpgsql as $$
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
      values ('cohort', about.follower::text, about.team_id);
    else
      insert into cohort_changes (team_id, contact_id, cohort_id)
      select n.team_id, n.contact_id, about.follower from changed n
      where n.team_id = about.team_id and n.cohort_id = about.cohort_id;
    end if;
  end loop;
  return null;
end $$;

create trigger record_inserted after insert on contacts
  referencing new table as changed for each statement execute function record_changed_contacts();
create trigger record_updated after update on contacts
  referencing new table as changed for each statement execute function record_changed_contacts();

create trigger record_inserted after insert on accounts
  referencing new table as changed for each statement execute function record_contacts_of_changed();
create trigger record_updated after update on accounts
  referencing new table as changed old table as former
  for each statement execute function record_contacts_of_moved();
create trigger record_deleted after delete on accounts
  referencing old table as changed for each statement execute function record_contacts_of_changed();

create trigger record_inserted after insert on objective_completions
  referencing new table as changed for each statement execute function record_contacts_of_changed();
create trigger record_updated after update on objective_completions
  referencing new table as changed old table as former
  for each statement execute function record_contacts_of_moved();
create trigger record_deleted after delete on objective_completions
  referencing old table as changed for each statement execute function record_contacts_of_changed();

create trigger record_inserted after insert on engagement_events
  referencing new table as changed for each statement execute function record_contacts_of_changed();
create trigger record_updated after update on engagement_events
  referencing new table as changed old table as former
  for each statement execute function record_contacts_of_moved();
create trigger record_deleted after delete on engagement_events
  referencing old table as changed for each statement execute function record_contacts_of_changed();

create trigger record_inserted after insert on cohort_members
  referencing new table as changed for each statement execute function record_changed_members();
create trigger record_deleted after delete on cohort_members
  referencing old table as changed for each statement execute function record_changed_members();
