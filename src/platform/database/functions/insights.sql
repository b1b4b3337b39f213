-- Rollups of deliveries.

-- Marks the hours whose sums a statement changes, each at most once. The current and the last hour need
-- no mark: they are summed hours later, when the transactions that write to them have ended.
create or replace function record_dirty_hours() returns trigger language plpgsql as $$
declare
  recent timestamptz := date_trunc('hour', now(), 'UTC') - interval '1 hour';
begin
  if tg_op = 'UPDATE' then
    insert into delivery_rollup_dirty_hours (team_id, hour)
    select team_id, date_trunc('hour', coalesce(sent_at, failed_at), 'UTC')
    from (select team_id, sent_at, failed_at from changed
      union all select team_id, sent_at, failed_at from former) d
    where coalesce(sent_at, failed_at) < recent
    group by 1, 2;
  else
    insert into delivery_rollup_dirty_hours (team_id, hour)
    select team_id, date_trunc('hour', coalesce(sent_at, failed_at), 'UTC')
    from changed
    where coalesce(sent_at, failed_at) < recent
    group by 1, 2;
  end if;
  return null;
end $$;
