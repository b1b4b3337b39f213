-- Triggers that record whose membership of a realtime cohort may have changed, in the transaction that
-- changes it. In a team without such a cohort each costs one look at an index.

-- Records contacts that were inserted or updated.
create or replace function record_changed_contacts() returns trigger language plpgsql as $$
begin
  insert into cohort_changes (team_id, contact_id)
  select team_id, id from changed n
  where exists (
    select from cohorts c
    where c.team_id = n.team_id and c.evaluation_mode = 'realtime' and c.archived_at is null
      and c.deleted_at is null);
  return null;
end $$;

-- Records the contacts of rows that were inserted or deleted.
create or replace function record_contacts_of_changed() returns trigger language plpgsql as $$
begin
  insert into cohort_changes (team_id, contact_id)
  select distinct team_id, contact_id from changed n
  where contact_id is not null and exists (
    select from cohorts c
    where c.team_id = n.team_id and c.evaluation_mode = 'realtime' and c.archived_at is null
      and c.deleted_at is null);
  return null;
end $$;

-- Records the contacts of rows that were updated: a row may move from one contact to another.
create or replace function record_contacts_of_moved() returns trigger language plpgsql as $$
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

-- Records members for the realtime cohorts whose definition names the changed cohort. Above 5000
-- changes it schedules an evaluation of all contacts instead, which takes less time. A definition is
-- converted to text once for each cohort: once for each member took a second per thousand members in
-- a team with a hundred cohorts.
create or replace function record_changed_members() returns trigger language plpgsql as $$
declare
  about record;
begin
  for about in
    with counted as materialized (
      select n.team_id, n.cohort_id, count(*) as changes from changed n
      group by n.team_id, n.cohort_id
    ),
    followers as materialized (
      select c.team_id, c.id, lower(c.definition::text) as rule
      from (select distinct team_id from counted) t
      join cohorts c
        on c.team_id = t.team_id and c.evaluation_mode = 'realtime' and c.archived_at is null
          and c.deleted_at is null
    )
    select n.team_id, n.cohort_id, n.changes, f.id as follower
    from counted n
    join followers f on f.team_id = n.team_id and strpos(f.rule, n.cohort_id::text) > 0
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

-- Records contacts for the realtime cohorts whose definition names the template. Above 5000 changes it
-- schedules an evaluation of all contacts instead, which takes less time.
create or replace function record_journeys(team uuid, template uuid, contacts uuid[]) returns void
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

-- Records the contacts of new journeys.
create or replace function record_new_journeys() returns trigger language plpgsql as $$
begin
  perform record_journeys(n.team_id, n.template_id, array_agg(n.contact_id))
  from new_rows n group by n.team_id, n.template_id;
  return null;
end $$;

-- Records the contacts of journeys whose status or contact has changed.
create or replace function record_moved_journeys() returns trigger language plpgsql as $$
begin
  perform record_journeys(n.team_id, n.template_id, array_agg(distinct c.contact_id))
  from new_rows n join old_rows o on o.team_id = n.team_id and o.id = n.id
    cross join lateral (values (n.contact_id), (o.contact_id)) as c (contact_id)
  where n.status <> o.status or n.contact_id <> o.contact_id
  group by n.team_id, n.template_id;
  return null;
end $$;
