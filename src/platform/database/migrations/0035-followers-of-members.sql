-- What a cohort names is asked once for each pair of a changed cohort and one that follows, and the
-- text of its rule made once: for each member it took a second per thousand of them beside a
-- hundred cohorts.
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
      values ('cohort', about.follower::text, about.team_id);
    else
      insert into cohort_changes (team_id, contact_id, cohort_id)
      select n.team_id, n.contact_id, about.follower from changed n
      where n.team_id = about.team_id and n.cohort_id = about.cohort_id;
    end if;
  end loop;
  return null;
end $$;
