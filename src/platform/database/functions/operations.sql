-- Files of exports and uploads.

-- Returns one cell of CSV (RFC 4180). An apostrophe precedes what a spreadsheet would take for a
-- formula, and what looks like such a cell already, so that removing one apostrophe gives the text.
create or replace function csv_cell(value text) returns text
language sql immutable parallel safe as $$
  select coalesce(
    '"' || case when left(ltrim(value, ''''), 1) in ('=', '+', '-', '@', E'\t', E'\r')
      then '''' else '' end || replace(value, '"', '""') || '"', '')
$$;

-- Returns a timestamp as the API writes it.
create or replace function rfc3339(value timestamptz) returns text
language sql immutable parallel safe as $$
  select to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Adds the sizes of new parts to the sum of their team, and subtracts those of deleted parts. Teams are
-- updated in one order against deadlocks.
create or replace function count_file_bytes() returns trigger language plpgsql as $$
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
