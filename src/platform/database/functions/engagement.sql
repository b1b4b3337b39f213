-- The kind under which the unique id of an event is stored. Custom events of a team have one set of
-- ids, so that the id alone identifies a repeat; other events have a set for each kind.
create or replace function engagement_key_kind(kind text) returns text
language sql immutable parallel safe as $$
  select case when kind like 'custom.%' then 'custom.' else kind end
$$;

-- Deletes engagement events of teams with a shorter term, at most `most`; returns how many. It runs
-- with the owner's rights: the service itself can neither change nor delete an event. The shortest
-- term holds also for a setting that was written past the API.
create or replace function prune_engagement_events(most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  pruned int;
begin
  delete from engagement_events
  where (team_id, id, occurred_at) in (
    select old.team_id, old.id, old.occurred_at from teams t
    cross join lateral (
      select e.team_id, e.id, e.occurred_at from engagement_events e
      where e.team_id = t.id
        and e.occurred_at < now()
          - make_interval(days => greatest(90, (t.retention ->> 'engagement_days')::int))
      order by e.occurred_at
      limit most
    ) old
    where t.retention ->> 'engagement_days' is not null
    limit most);
  get diagnostics pruned = row_count;
  return pruned;
end $$;
