-- Counters of messages.

-- Adds what a statement changes to the stats of its messages, once for all its rows; messages in one
-- order against deadlocks. Each delivery counts 1 as it is, and -1 as it was.
create or replace function count_message_deliveries() returns trigger language plpgsql as $$
declare
  added message_deliveries[] := array(select n::message_deliveries from new_rows n);
  removed message_deliveries[];
begin
  if tg_op = 'UPDATE' then
    removed := array(select o::message_deliveries from old_rows o);
  end if;
  insert into message_stats as s (team_id, message_id, slot, variant_key, queued, sent, delivered,
    bounced, failed, opened, opened_machine, clicked, unsubscribed, complained, skipped)
  select * from (
    select team_id, message_id, (select free_counter_shard()) as slot,
      coalesce(variant_key, '') as variant_key,
      sum(sign * (status in ('queued', 'sent', 'delayed', 'delivered', 'bounced', 'failed'))::int)
        as queued,
      sum(sign
        * (sent_at is not null or status in ('sent', 'delayed', 'delivered', 'bounced'))::int)
        as sent,
      sum(sign * (delivered_at is not null or status = 'delivered')::int) as delivered,
      sum(sign * (status = 'bounced')::int) as bounced,
      sum(sign * (status = 'failed')::int) as failed,
      sum(sign * (first_opened_at is not null)::int) as opened,
      sum(sign * (machine_open_count > 0)::int) as opened_machine,
      sum(sign * (first_clicked_at is not null)::int) as clicked,
      sum(sign * (unsubscribed_at is not null)::int) as unsubscribed,
      sum(sign * (complained_at is not null)::int) as complained,
      sum(sign * (status = 'skipped')::int) as skipped
    from (
      select 1 as sign, a.* from unnest(added) a
      union all
      select -1, r.* from unnest(removed) r
    ) d
    group by 1, 2, 4
    order by 1, 2, 4
  ) summed
  where (queued, sent, delivered, bounced, failed, opened, opened_machine, clicked, unsubscribed,
    complained, skipped) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  on conflict (team_id, message_id, slot, variant_key) do update set
    queued = s.queued + excluded.queued,
    sent = s.sent + excluded.sent,
    delivered = s.delivered + excluded.delivered,
    bounced = s.bounced + excluded.bounced,
    failed = s.failed + excluded.failed,
    opened = s.opened + excluded.opened,
    opened_machine = s.opened_machine + excluded.opened_machine,
    clicked = s.clicked + excluded.clicked,
    unsubscribed = s.unsubscribed + excluded.unsubscribed,
    complained = s.complained + excluded.complained,
    skipped = s.skipped + excluded.skipped;
  return null;
end $$;

-- Marketing that a contact has had in the day and in the seven days before a time, except one delivery:
-- what was sent, and what was counted and is being sent. `with_queued`: also what was only queued. A
-- send is scheduled 30 days ahead at most, and retried for some days.
create or replace function count_marketing(
  team uuid, contact uuid, as_of timestamptz, other_than uuid, with_queued boolean,
  out day int, out week int
) language plpgsql stable as $$
begin
  select count(*) filter (where counted.at > as_of - interval '1 day'), count(*)
  into day, week
  from (
    select d.message_id, case
        when d.status not in ('scheduled', 'queued') then coalesce(d.sent_at, d.updated_at)
        else coalesce((
          select case when s.is_claimed and s.counted_at is not null then as_of else s.counted_at end
          from message_sends s where s.team_id = team and s.id = d.id
        ), case when with_queued and d.status = 'queued' then d.inserted_at end)
      end as at
    from (
      -- In the order of their index: otherwise, a plan that was made while there were few deliveries
      -- reads all of the team.
      select * from message_deliveries
      where team_id = team and contact_id between contact and contact
        and inserted_at > as_of - interval '45 days'
        and status in ('scheduled', 'queued', 'sent', 'delayed', 'delivered')
        and id is distinct from other_than
      order by contact_id, inserted_at desc, id desc
      offset 0
    ) d
  ) counted
  -- With a limit the planner does not count once for each message of the team.
  cross join lateral (
    select from messages
    where team_id = team and id = counted.message_id and purpose = 'marketing'
    limit 1
  ) m
  where counted.at > as_of - interval '7 days';
end $$;

-- Counts marketing that is about to be sent, in the order given, and gives the ids of what is above
-- the frequency cap. What is exempt has no cap: it counts for others. Two that count for one contact
-- at the same time wait for each other.
create or replace function count_or_refuse(
  teams uuid[], sends uuid[], contacts uuid[], per_day int[], per_week int[], as_of timestamptz
) returns setof uuid language plpgsql as $$
declare
  one record;
begin
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended('marketing ' || contact::text, 0) as key
    from unnest(contacts) as contact
    order by key
    offset 0
  ) as keys;
  for one in
    select * from unnest(teams, sends, contacts, per_day, per_week)
      as asked (team, send, contact, daily, weekly)
  loop
    if exists (
      select from count_marketing(one.team, one.contact, as_of, one.send, false) had
      where had.day >= one.daily or had.week >= one.weekly
    ) then
      return next one.send;
    else
      update message_sends set counted_at = as_of where team_id = one.team and id = one.send;
    end if;
  end loop;
end $$;
