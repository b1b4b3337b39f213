-- Files of exports and uploads.

-- Whether a text begins or ends with what nobody sees, which readers of CSV remove from a cell
-- (trim-cell.ts has the same characters); apostrophes around it do not count.
create or replace function has_hidden_ends(value text) returns boolean
language sql immutable parallel safe as $$
  select left(btrim(value, ''''), 1) || right(btrim(value, ''''), 1) ~
    '[\u0009-\u000d \u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2069\u3000\ufeff]'
$$;

-- Whether a spreadsheet would take a text for a formula; apostrophes before it do not count.
create or replace function is_like_formula(value text) returns boolean
language sql immutable parallel safe as $$
  select left(ltrim(value, ''''), 1) in ('=', '+', '-', '@', E'\t', E'\r')
$$;

-- Returns a text as one cell of CSV (RFC 4180), from which an import restores it. Apostrophes enclose
-- a text with hidden ends. One precedes what a spreadsheet would take for a formula. Both hold for
-- what looks like such a cell already, so that removing them once gives the text.
create or replace function csv_cell(value text) returns text
language sql immutable parallel safe as $$
  select coalesce('"' || replace(
    case when has_hidden_ends(value) then '''' || value || ''''
      when is_like_formula(value) then '''' || value
      else value end, '"', '""') || '"', '')
$$;

-- Returns a list as one cell: its items with semicolons between, or JSON if one of them has a
-- semicolon, hidden ends, or a beginning that means something else to a reader.
create or replace function csv_list(items text[]) returns text
language sql immutable parallel safe as $$
  select case when exists (
      select from unnest(items) as item
      where item = '' or left(item, 1) = '[' or strpos(item, ';') > 0 or has_hidden_ends(item)
        or is_like_formula(item))
    then csv_cell(array_to_json(items)::text) else csv_cell(array_to_string(items, ';')) end
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
