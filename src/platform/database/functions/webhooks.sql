-- Deletes settled deliveries of teams with a shorter term, at most `most`, with their attempts and the
-- events that no other delivery needs; returns the number of deliveries. It runs with the owner's
-- rights: the service itself can neither change nor delete events and attempts. The shortest term
-- holds also for a setting that was written past the API.
create or replace function prune_webhook_events(most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  due webhook_deliveries[];
begin
  select array_agg(old.delivery) into due from (
    select old.delivery from teams t
    join webhook_subscriptions s on s.team_id = t.id
    cross join lateral (
      select d as delivery from webhook_deliveries d
      where d.team_id = t.id and d.subscription_id = s.id
        and d.status not in ('pending', 'retrying')
        and d.inserted_at < now()
          - make_interval(days => greatest(8, (t.retention ->> 'webhook_events_days')::int))
      order by d.inserted_at
      limit most
    ) old
    where t.retention ->> 'webhook_events_days' is not null
    limit most
  ) old;
  delete from webhook_attempts a using unnest(due) as d
  where a.day = d.day and a.delivery_id = d.id;
  delete from webhook_deliveries w using unnest(due) as d where w.day = d.day and w.id = d.id;
  delete from webhook_events e using (select distinct day, event_id from unnest(due)) as d
  where e.day = d.day and e.id = d.event_id and not exists (
    select from webhook_subscriptions s
    join webhook_deliveries other on other.team_id = s.team_id and other.subscription_id = s.id
      and other.inserted_at = e.inserted_at and other.event_id = e.id
    where s.team_id = e.team_id);
  return coalesce(array_length(due, 1), 0);
end $$;
