-- Event types that teams define, and the search of an erasure among their events.

create table custom_event_types (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  description text,
  schema jsonb not null,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table custom_event_types is 'Event types that a team defines, with the JSON Schema of their data.';
-- A name belongs to one event type of a team, and is the order of the list by name.
create unique index custom_event_types_name on custom_event_types (team_id, name)
  where deleted_at is null;
-- The default order of the list.
create index custom_event_types_default on custom_event_types (team_id, inserted_at desc, id desc)
  where deleted_at is null;

-- Custom events without a contact, which an erasure searches for addresses.
create index engagement_events_anonymous_custom on engagement_events (team_id, occurred_at)
  where kind like 'custom.%' and contact_id is null;
