-- What each team asked for: kept for a week, with bodies that are cut and show no content.

create table request_log (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  client_id uuid not null,
  request_id text collate "C" not null,
  occurred_at timestamptz(3) not null,
  method text collate "C" not null,
  operation text collate "C" not null,
  path text not null,
  query text,
  status int not null,
  error_codes text[] not null,
  duration_ms int not null,
  request_bytes int not null,
  response_bytes int not null,
  request_body text,
  response_body text,
  -- The order of the list, so that it needs no other index.
  primary key (team_id, occurred_at, id, day)
) partition by range (day);
comment on table request_log is 'append-only: what each team asked for';
create table request_log_default partition of request_log default;
create index request_log_request on request_log (team_id, request_id);

-- A week is all that the request log may keep; of everything else a fortnight stays, whatever is
-- asked, since whoever runs this does so with the owner's rights.
create or replace function drop_day_partitions(parent text, before date) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child record;
  dropped int := 0;
  kept int := case parent when 'request_log' then 7 else 14 end;
  bound date := least(before, (now() at time zone 'UTC')::date - kept);
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\d{8}$')
  loop
    if to_date(right(child.relname, 8), 'YYYYMMDD') < bound then
      execute format('drop table %I', child.relname);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;
