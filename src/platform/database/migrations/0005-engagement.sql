-- Objectives with their completions, engagement events, and the log of reads of contacts.

create table objectives (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  key text not null,
  name text not null,
  description text,
  category text not null,
  value_cents bigint not null default 0,
  attribution_window_days int not null default 30,
  attribution_model text not null default 'any_touch',
  is_repeatable boolean not null default false,
  product_kind text,
  is_standard boolean not null default false,
  is_active boolean not null default true,
  archived_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table objectives is 'Objectives that contacts can complete, with value and attribution rules.';
-- A key belongs to one objective of a team.
create unique index objectives_key on objectives (team_id, key collate "C")
  where deleted_at is null;
-- The default order of the list.
create index objectives_default on objectives (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by name.
create index objectives_name on objectives (team_id, name collate "C", id)
  where deleted_at is null;
-- The objectives that an opened account of a kind completes.
create index objectives_product on objectives (team_id, product_kind)
  where product_kind is not null and deleted_at is null;
-- The list by last change.
create index objectives_updated on objectives (team_id, updated_at, id) where deleted_at is null;

-- Completions of an objective: the sum of its slots. With one row for each objective its
-- completions would wait for each other.
create table objective_completion_counts (
  team_id uuid not null,
  objective_id uuid not null,
  slot smallint not null,
  count bigint not null,
  primary key (team_id, objective_id, slot)
);
comment on table objective_completion_counts is 'Number of completions of an objective, as the sum of several rows.';

create table objective_completions (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  objective_id uuid not null,
  contact_id uuid not null,
  completed_at timestamptz(3) not null,
  value_cents bigint not null,
  source text collate "C" not null,
  attribution text collate "C" not null,
  journey_id uuid,
  template_id uuid,
  message_id uuid,
  account_id uuid,
  unique_id text collate "C",
  -- Identifies a repetition: empty for an objective that is completed once, otherwise the unique_id
  -- or the time.
  repeat_key text collate "C" not null,
  voided_at timestamptz(3),
  void_reason text,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A completion belongs to an objective of the same team.
  foreign key (team_id, objective_id) references objectives (team_id, id),
  -- A completion belongs to a contact of the same team.
  foreign key (team_id, contact_id) references contacts (team_id, id)
);
comment on table objective_completions is 'Completions of objectives by contacts, with their attribution to a journey.';
-- A repetition is recorded once unless it is voided.
create unique index objective_completions_repeat
  on objective_completions (team_id, objective_id, contact_id, repeat_key)
  where voided_at is null;
-- The default order of the list.
create index objective_completions_default
  on objective_completions (team_id, completed_at desc, id desc);
-- The filter by objective.
create index objective_completions_objective
  on objective_completions (team_id, objective_id, completed_at desc, id desc);
-- The filter by contact.
create index objective_completions_contact
  on objective_completions (team_id, contact_id, completed_at desc, id desc);
-- The filter by template.
create index objective_completions_template
  on objective_completions (team_id, template_id, completed_at desc, id desc)
  where template_id is not null;
-- The filter by source.
create index objective_completions_source
  on objective_completions (team_id, source, completed_at desc, id desc);
-- The filter by attribution.
create index objective_completions_attribution
  on objective_completions (team_id, attribution, completed_at desc, id desc);
-- The list by last change.
create index objective_completions_updated on objective_completions (team_id, updated_at, id);
-- Insights about a period read this index alone.
create index objective_completions_counted on objective_completions (team_id, completed_at)
  include (objective_id, value_cents, attribution, template_id, contact_id)
  where voided_at is null;
-- Insights about who completed an objective read this index alone.
create index objective_completions_done
  on objective_completions (team_id, objective_id, contact_id, completed_at)
  where voided_at is null;
-- Insights about journeys read this index alone.
create index objective_completions_journey on objective_completions (team_id, journey_id)
  include (contact_id, completed_at, value_cents)
  where voided_at is null and journey_id is not null;
-- A completion may move its contact into or out of a realtime cohort.
create trigger record_inserted after insert on objective_completions
  referencing new table as changed for each statement execute function record_contacts_of_changed();
-- So may a changed completion, for its contact before and after.
create trigger record_updated after update on objective_completions
  referencing new table as changed old table as former
  for each statement execute function record_contacts_of_moved();
-- So may a deleted completion.
create trigger record_deleted after delete on objective_completions
  referencing old table as changed for each statement execute function record_contacts_of_changed();

-- Partitioned by the month of occurred_at: insights read the months of their period, the newest page
-- of a list is in the newest month that has rows, and retention drops a month at a time.
create table engagement_events (
  team_id uuid not null,
  id uuid not null,
  kind text collate "C" not null,
  channel text collate "C",
  contact_id uuid,
  journey_id uuid,
  template_id uuid,
  message_id uuid,
  message_delivery_id uuid,
  page_id uuid,
  landing_page_id uuid,
  widget_instance_id uuid,
  objective_id uuid,
  account_id uuid,
  receiver_id uuid,
  inbound_delivery_id uuid,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null default now(),
  source text collate "C" not null,
  is_machine boolean not null default false,
  url text,
  user_agent text,
  ip_truncated text,
  properties jsonb,
  value_cents bigint,
  unique_id text collate "C",
  primary key (team_id, id, occurred_at)
) partition by range (occurred_at);
comment on table engagement_events is 'append-only: engagement of contacts with messages and pages, partitioned by month.';
-- The default order of the list.
create index engagement_events_default
  on engagement_events (team_id, occurred_at desc, id desc);
-- The filter by kind.
create index engagement_events_kind
  on engagement_events (team_id, kind, occurred_at desc, id desc);
-- The filter by contact; insights read the included columns without the wide rows.
create index engagement_events_contact
  on engagement_events (team_id, contact_id, occurred_at desc, id desc)
  include (kind, is_machine, message_id, page_id, landing_page_id)
  where contact_id is not null;
-- The filter by template.
create index engagement_events_template
  on engagement_events (team_id, template_id, occurred_at desc, id desc)
  where template_id is not null;
-- The filter by journey; insights read the included columns without the wide rows.
create index engagement_events_journey
  on engagement_events (team_id, journey_id, occurred_at desc, id desc)
  include (kind, is_machine, message_id, page_id, widget_instance_id, channel)
  where journey_id is not null;
-- The filter by message.
create index engagement_events_message
  on engagement_events (team_id, message_id, occurred_at desc, id desc)
  where message_id is not null;
-- The filter by page; insights read the included columns without the wide rows.
create index engagement_events_page
  on engagement_events (team_id, page_id, occurred_at desc, id desc)
  include (kind, is_machine, contact_id, template_id)
  where page_id is not null;
-- Insights about a widget.
create index engagement_events_widget
  on engagement_events (team_id, widget_instance_id, occurred_at)
  where widget_instance_id is not null;
-- Insights about campaigns: who engaged in a period and how often, from this index alone.
create index engagement_events_engaged
  on engagement_events (team_id, occurred_at) include (template_id, contact_id, kind)
  where not is_machine and template_id is not null
    and (kind in ('message.opened', 'message.clicked', 'contact.replied')
      or kind like 'page.%' or kind like 'widget.%');
-- Form submissions without a contact, which an erasure searches for addresses.
create index engagement_events_anonymous_submissions on engagement_events (team_id, occurred_at)
  where kind = 'widget.submitted' and source = 'landing_page' and contact_id is null;
-- Custom events without a contact, which an erasure searches for addresses.
create index engagement_events_anonymous_custom on engagement_events (team_id, occurred_at)
  where kind like 'custom.%' and contact_id is null;
-- An event may move its contact into or out of a realtime cohort.
create trigger record_inserted after insert on engagement_events
  referencing new table as changed for each statement execute function record_contacts_of_changed();
-- So may an event whose contact changes, for both contacts.
create trigger record_updated after update on engagement_events
  referencing new table as changed old table as former
  for each statement execute function record_contacts_of_moved();
-- So may a deleted event.
create trigger record_deleted after delete on engagement_events
  referencing old table as changed for each statement execute function record_contacts_of_changed();
-- Events may be reported for up to 26 months back.
select ensure_month_partitions(26, 2);

-- The unique ids of events: a unique index of the partitioned table would have to include
-- occurred_at, and would then allow duplicates.
create table engagement_event_keys (
  team_id uuid not null,
  kind text collate "C" not null,
  unique_id text collate "C" not null,
  event_id uuid not null,
  occurred_at timestamptz(3) not null,
  primary key (team_id, kind, unique_id)
);
comment on table engagement_event_keys is 'Unique ids of engagement events, which reject duplicates.';
-- Retention. Keys are inserted nearly in the order of time, so BRIN suffices and costs writes nothing.
create index engagement_event_keys_occurred_at on engagement_event_keys using brin (occurred_at);

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
-- The list by last change.
create index custom_event_types_updated on custom_event_types (team_id, updated_at, id)
  where deleted_at is null;

-- One row for the first answer of an hour, by client and endpoint, that holds something of a contact.
-- Partitioned by month, so that the indexes in use stay small. No foreign keys: contacts are hot. Before
-- the events above, it would get their 26 months.
create table contact_reads (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  client_id uuid not null,
  -- The operationId of the endpoint.
  operation text collate "C" not null,
  -- The id that the service gave the request.
  server_request_id uuid,
  read_at timestamptz(3) not null default now(),
  -- By the term of the team at that time; a later change of the term does not move it.
  expires_at timestamptz(3) not null,
  -- The begin of the hour.
  occurred_at timestamptz(3) not null,
  -- Within an hour the same read is recorded once.
  primary key (team_id, contact_id, client_id, operation, occurred_at)
) partition by range (occurred_at);
comment on table contact_reads is 'append-only until expires_at: which client read which contact, of teams that record it.';
create table contact_reads_default partition of contact_reads default;
-- The default order of the list.
create index contact_reads_read on contact_reads (team_id, read_at, id);
-- The filter by client.
create index contact_reads_client on contact_reads (team_id, client_id, read_at, id);
-- The order of exports.
create index contact_reads_id on contact_reads (team_id, id);
-- Rows whose term has ended.
create index contact_reads_expires on contact_reads (expires_at);
