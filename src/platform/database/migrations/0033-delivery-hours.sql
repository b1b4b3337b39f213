-- Sums of deliveries by the hour (UTC) in which their sending was over. Hours that have changed since
-- they were summed, and those of the last hours, are read from the rows, so that no answer is stale.

create table delivery_counts_hourly (
  team_id uuid not null,
  hour timestamptz(0) not null,
  message_id uuid not null,
  template_id uuid not null,
  channel text not null,
  sent int not null,
  delivered int not null,
  bounced int not null,
  failed int not null,
  opened int not null,
  opened_machine int not null,
  clicked int not null,
  unsubscribed int not null,
  complained int not null,
  primary key (team_id, hour, message_id, template_id, channel)
);

-- How far a team's hours are summed; all before it are, but for those that have changed.
create table delivery_rollup_progress (
  team_id uuid primary key references teams (id),
  rolled_up_until timestamptz(0) not null,
  -- Where the comparison with the rows goes on.
  reconciled_until timestamptz(0) not null default '-infinity',
  -- When hours were last summed.
  touched_at timestamptz(3) not null default now()
);

-- Hours whose sums are no longer right. Appended, never merged: with a shared key the writers of an
-- hour would wait for each other. A mark commits with the change that it is about.
create table delivery_rollup_dirty_hours (
  team_id uuid not null,
  hour timestamptz(0) not null,
  id bigint generated always as identity,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, hour, id)
);

-- One mark at most for each hour that a statement touches. The hours in which sends end now have
-- none: they are summed only hours after, when whoever writes now has long ended.
create function record_dirty_hours() returns trigger language plpgsql as $$
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
create trigger record_hours_inserted after insert on message_deliveries
  referencing new table as changed for each statement execute function record_dirty_hours();
create trigger record_hours_updated after update on message_deliveries
  referencing new table as changed old table as former
  for each statement execute function record_dirty_hours();
create trigger record_hours_deleted after delete on message_deliveries
  referencing old table as changed for each statement execute function record_dirty_hours();
