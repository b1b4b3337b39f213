-- Bytes of the files of a team: parts of uploads, of files by SFTP and of exports, finished or not.
-- Triggers keep the sum exact, whichever way parts come and go; the quota of a team is checked
-- against it. The row is locked until the end of a transaction that adds or deletes parts.
create table file_bytes (
  team_id uuid primary key references teams (id),
  bytes bigint not null
) with (fillfactor = 50);

-- In the order of teams, so that two transactions with parts of several teams do not wait for each
-- other.
create function count_file_bytes() returns trigger language plpgsql as $$
begin
  if tg_op in ('INSERT', 'UPDATE') then
    insert into file_bytes as f (team_id, bytes)
    select team_id, sum(octet_length(bytes)) from added group by team_id order by team_id
    on conflict (team_id) do update set bytes = f.bytes + excluded.bytes;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    insert into file_bytes as f (team_id, bytes)
    select team_id, -sum(octet_length(bytes)) from removed group by team_id order by team_id
    on conflict (team_id) do update set bytes = f.bytes + excluded.bytes;
  end if;
  return null;
end $$;

create trigger count_inserted after insert on upload_parts
  referencing new table as added for each statement execute function count_file_bytes();
create trigger count_updated after update on upload_parts
  referencing old table as removed new table as added
  for each statement execute function count_file_bytes();
create trigger count_deleted after delete on upload_parts
  referencing old table as removed for each statement execute function count_file_bytes();

create trigger count_inserted after insert on export_parts
  referencing new table as added for each statement execute function count_file_bytes();
create trigger count_updated after update on export_parts
  referencing old table as removed new table as added
  for each statement execute function count_file_bytes();
create trigger count_deleted after delete on export_parts
  referencing old table as removed for each statement execute function count_file_bytes();

-- The triggers keep others from writing parts until this is committed.
insert into file_bytes (team_id, bytes)
select team_id, sum(octet_length(bytes))
from (
  select team_id, bytes from upload_parts union all select team_id, bytes from export_parts
) parts
group by team_id;
