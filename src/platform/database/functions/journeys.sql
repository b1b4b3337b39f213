-- Lanes, counters and arrivals of journeys.

-- Returns the lane that decides everything for a contact: it counts what the contact has received
-- without a lock. An index stores the result, so a change needs a migration that rebuilds the index.
create or replace function lane_of_contact(contact uuid) returns smallint
language sql immutable strict parallel safe as $$
  select (get_byte(uuid_send(contact), 15) / 64)::smallint
$$;

-- Counts journeys of templates, once for a statement; templates in one order against deadlocks.
create or replace function count_journeys() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into template_journey_counts as c
    select n.team_id, n.template_id, (select free_counter_shard()), count(*),
      count(*) filter (where n.status in ('scheduled', 'active', 'paused'))
    from new_rows n group by 1, 2 order by 1, 2
    on conflict (team_id, template_id, slot) do update
    set enrolled = c.enrolled + excluded.enrolled, open = c.open + excluded.open;
  else
    insert into template_journey_counts as c
    select n.team_id, n.template_id, (select free_counter_shard()), 0,
      sum((n.status in ('scheduled', 'active', 'paused'))::int
        - (o.status in ('scheduled', 'active', 'paused'))::int) as change
    from new_rows n join old_rows o on o.team_id = n.team_id and o.id = n.id
    group by 1, 2
    having sum((n.status in ('scheduled', 'active', 'paused'))::int
        - (o.status in ('scheduled', 'active', 'paused'))::int) <> 0
    order by 1, 2
    on conflict (team_id, template_id, slot) do update set open = c.open + excluded.open;
  end if;
  return null;
end $$;

-- Records contacts that joined a target cohort of a template with entry "on_cohort_entry", and asks for
-- the template's workflow to be signaled.
create or replace function record_arrivals() returns trigger language plpgsql as $$
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
