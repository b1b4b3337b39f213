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
