-- Files that are made of a team's data, in parts, and fetched by whoever asked for them.

create table exports (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  kind text collate "C" not null
    check (kind in ('contacts', 'accounts', 'objective_completions', 'contact')),
  format text collate "C" not null check (format in ('csv', 'ndjson', 'json')),
  status text collate "C" not null default 'queued'
    check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- As they were sent, and as they were understood at that moment.
  filters jsonb not null default '{}',
  conditions jsonb not null default '[]',
  -- Whom it is about, where it is all that is known of one contact.
  contact_id uuid,
  -- Whether who asked may read dates of birth, and who fetches it must.
  shows_birth_date boolean not null default false,
  row_count int not null default 0,
  size_bytes bigint not null default 0,
  -- It goes on in this section behind this id, with this part.
  section int not null default 0,
  cursor_id uuid,
  next_part int not null default 0,
  error jsonb,
  requested_by_client_id uuid not null,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  -- The file is kept until then, and the row for as long again.
  expires_at timestamptz(3) not null default now() + interval '24 hours',
  deleted_at timestamptz(3),
  primary key (team_id, id)
) with (fillfactor = 50);
create index exports_default on exports (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index exports_untouched on exports (updated_at) where status in ('queued', 'running');
create index exports_expires_at on exports (expires_at);

-- A part holds the rows of a section behind one id up to another, in the order of ids.
create table export_parts (
  team_id uuid not null,
  export_id uuid not null,
  number int not null,
  section int not null,
  last_id uuid,
  bytes bytea not null,
  primary key (team_id, export_id, number),
  foreign key (team_id, export_id) references exports (team_id, id) on delete cascade
);
alter table export_parts alter column bytes set storage external;

-- One cell of CSV (RFC 4180). What a spreadsheet would take for a formula is put behind an
-- apostrophe, and so is what looks like such a cell already: taking one away gives back the text.
create function csv_cell(value text) returns text
language sql immutable parallel safe as $$
  select coalesce(
    '"' || case when left(ltrim(value, ''''), 1) in ('=', '+', '-', '@', E'\t', E'\r')
      then '''' else '' end || replace(value, '"', '""') || '"', '')
$$;

create function rfc3339(value timestamptz) returns text
language sql immutable parallel safe as $$
  select to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
