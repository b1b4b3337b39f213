-- What became of messages by the variant that was sent; '' stands for deliveries without one.

alter table delivery_counts_hourly add column variant_key text not null default '';
alter table delivery_counts_hourly drop constraint delivery_counts_hourly_pkey;
alter table delivery_counts_hourly
  add primary key (team_id, hour, message_id, template_id, channel, variant_key);
-- Hours with variants are summed again.
insert into delivery_rollup_dirty_hours (team_id, hour)
select distinct team_id, date_trunc('hour', coalesce(sent_at, failed_at), 'UTC')
from message_deliveries
where variant_key is not null and coalesce(sent_at, failed_at) is not null;

alter table message_stats add column variant_key text not null default '';
alter table message_stats drop constraint message_stats_pkey;
alter table message_stats add primary key (team_id, message_id, slot, variant_key);

drop function message_stats_of;
-- What one delivery adds to the stats of its message, by sign: 1 as it is, -1 as it was.
create function message_stats_of(
  sign int, team_id uuid, message_id uuid, status text, sent_at timestamptz,
  delivered_at timestamptz, first_opened_at timestamptz, machine_open_count int,
  first_clicked_at timestamptz, unsubscribed_at timestamptz, complained_at timestamptz,
  variant_key text
) returns message_stats language sql immutable as $$
  select row(
    team_id, message_id, 0,
    sign * (status in ('queued', 'sent', 'delayed', 'delivered', 'bounced', 'failed'))::int,
    sign * (sent_at is not null or status in ('sent', 'delayed', 'delivered', 'bounced'))::int,
    sign * (delivered_at is not null or status = 'delivered')::int,
    sign * (status = 'bounced')::int,
    sign * (status = 'failed')::int,
    sign * (first_opened_at is not null)::int,
    sign * (machine_open_count > 0)::int,
    sign * (first_clicked_at is not null)::int,
    sign * (unsubscribed_at is not null)::int,
    sign * (complained_at is not null)::int,
    sign * (status = 'skipped')::int,
    coalesce(variant_key, '')
  )::message_stats
$$;

-- Once for a statement, however many rows it writes; messages in one order against deadlocks.
create or replace function count_message_deliveries() returns trigger language plpgsql as $$
declare
  changes message_stats[];
begin
  if tg_op = 'INSERT' then
    select array_agg(message_stats_of(1, n.team_id, n.message_id, n.status, n.sent_at, n.delivered_at,
      n.first_opened_at, n.machine_open_count, n.first_clicked_at, n.unsubscribed_at,
      n.complained_at, n.variant_key)) into changes
    from new_rows n;
  else
    select array_agg(c) into changes from (
      select message_stats_of(-1, o.team_id, o.message_id, o.status, o.sent_at, o.delivered_at,
        o.first_opened_at, o.machine_open_count, o.first_clicked_at, o.unsubscribed_at,
        o.complained_at, o.variant_key) as c
      from old_rows o
      union all
      select message_stats_of(1, n.team_id, n.message_id, n.status, n.sent_at, n.delivered_at,
        n.first_opened_at, n.machine_open_count, n.first_clicked_at, n.unsubscribed_at,
        n.complained_at, n.variant_key)
      from new_rows n
    ) both_rows;
  end if;
  insert into message_stats as s (team_id, message_id, slot, variant_key, queued, sent, delivered,
    bounced, failed, opened, opened_machine, clicked, unsubscribed, complained, skipped)
  select * from (
    select c.team_id, c.message_id, (select free_counter_shard()) as slot, c.variant_key,
      sum(c.queued) as queued, sum(c.sent), sum(c.delivered), sum(c.bounced), sum(c.failed),
      sum(c.opened), sum(c.opened_machine), sum(c.clicked), sum(c.unsubscribed),
      sum(c.complained), sum(c.skipped)
    from unnest(changes) c
    group by c.team_id, c.message_id, c.variant_key
    order by c.team_id, c.message_id, c.variant_key
  ) summed (team_id, message_id, slot, variant_key, queued, sent, delivered, bounced, failed, opened,
    opened_machine, clicked, unsubscribed, complained, skipped)
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

-- Deliveries that were counted without their variant move from the row without one to their own.
insert into message_stats as s (team_id, message_id, slot, variant_key, queued, sent, delivered,
  bounced, failed, opened, opened_machine, clicked, unsubscribed, complained, skipped)
select c.team_id, c.message_id, c.slot, c.variant_key, sum(c.queued), sum(c.sent), sum(c.delivered),
  sum(c.bounced), sum(c.failed), sum(c.opened), sum(c.opened_machine), sum(c.clicked),
  sum(c.unsubscribed), sum(c.complained), sum(c.skipped)
from message_deliveries d
cross join lateral (values (1, d.variant_key), (-1, '')) moved (sign, variant_key)
cross join lateral message_stats_of(moved.sign, d.team_id, d.message_id, d.status, d.sent_at,
  d.delivered_at, d.first_opened_at, d.machine_open_count, d.first_clicked_at, d.unsubscribed_at,
  d.complained_at, moved.variant_key) c
where d.variant_key is not null
group by c.team_id, c.message_id, c.slot, c.variant_key
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
