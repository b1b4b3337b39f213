-- Deliveries of messages with their counters, the queue of what is to be sent, and the mailbox.

-- One send of one message to one contact: the second largest table. Partitioned by month, so that old
-- months are dropped whole and the indexes in use stay small. No foreign keys: the parents are hot.
-- Columns that opens and clicks change have no index, so that an update stays within its page.
create table message_deliveries (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  message_id uuid not null,
  template_id uuid not null,
  journey_id uuid,
  contact_id uuid not null,
  channel text not null,
  status text not null,
  provider text,
  provider_message_id text,
  to_masked text,
  variant_key text,
  skip_reason text,
  bounce jsonb,
  scheduled_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  first_opened_at timestamptz(3),
  first_clicked_at timestamptz(3),
  failed_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  complained_at timestamptz(3),
  open_count int not null default 0,
  click_count int not null default 0,
  machine_open_count int not null default 0,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id, inserted_at)
) partition by range (inserted_at);
create table message_deliveries_default partition of message_deliveries default;
-- The default order of the list.
create index message_deliveries_list on message_deliveries (team_id, inserted_at desc, id desc);
-- The list by time of sending.
create index message_deliveries_sent on message_deliveries (team_id, sent_at, id);
-- The filter by message.
create index message_deliveries_message
  on message_deliveries (team_id, message_id, inserted_at desc, id desc);
-- The filter by template.
create index message_deliveries_template
  on message_deliveries (team_id, template_id, inserted_at desc, id desc);
-- The filter by contact.
create index message_deliveries_contact
  on message_deliveries (team_id, contact_id, inserted_at desc, id desc);
-- The filter by journey.
create index message_deliveries_journey
  on message_deliveries (team_id, journey_id, inserted_at desc, id desc)
  where journey_id is not null;
-- The filter by status.
create index message_deliveries_status
  on message_deliveries (team_id, status, inserted_at desc, id desc);
-- The filter by reason of a skipped message.
create index message_deliveries_skipped
  on message_deliveries (team_id, skip_reason, inserted_at desc, id desc)
  where skip_reason is not null;
-- The delivery that the callback of a provider is about.
create index message_deliveries_provider
  on message_deliveries (team_id, provider_message_id) where provider_message_id is not null;
-- Deliveries by the time when sending ended, sent or failed: insights and rollups read periods.
create index message_deliveries_over
  on message_deliveries (team_id, (coalesce(sent_at, failed_at)))
  where coalesce(sent_at, failed_at) is not null;
-- Counts new deliveries of messages.
create trigger message_deliveries_inserted after insert on message_deliveries
  referencing new table as new_rows
  for each statement execute function count_message_deliveries();
-- Counts what became of deliveries.
create trigger message_deliveries_updated after update on message_deliveries
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_message_deliveries();
-- Marks the hours of late deliveries, whose sums change.
create trigger record_hours_inserted after insert on message_deliveries
  referencing new table as changed for each statement execute function record_dirty_hours();
-- Marks the hours of changed deliveries, before and after the change.
create trigger record_hours_updated after update on message_deliveries
  referencing new table as changed old table as former
  for each statement execute function record_dirty_hours();
-- Marks the hours of deleted deliveries.
create trigger record_hours_deleted after delete on message_deliveries
  referencing old table as changed for each statement execute function record_dirty_hours();
select ensure_month_partitions();

-- Figures of all deliveries of a message, including dropped ones. Each is the sum of up to 16 rows:
-- writers of the same message use different rows and do not wait for each other.
create table message_stats (
  team_id uuid not null,
  message_id uuid not null,
  slot int not null,
  -- The variant that was sent; empty for deliveries without one.
  variant_key text not null default '',
  queued bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  bounced bigint not null default 0,
  failed bigint not null default 0,
  opened bigint not null default 0,
  opened_machine bigint not null default 0,
  clicked bigint not null default 0,
  unsubscribed bigint not null default 0,
  complained bigint not null default 0,
  skipped bigint not null default 0,
  primary key (team_id, message_id, slot, variant_key)
) with (fillfactor = 50);

-- The send queue: ids only, deleted as soon as the delivery has its outcome.
create table message_sends (
  team_id uuid not null,
  -- The id of the delivery, or of what a notice is about; a test has an id of its own.
  id uuid not null,
  lane smallint not null,
  channel text collate "C" not null,
  -- The partition of the delivery, so that the others are not searched.
  delivery_inserted_at timestamptz(3) not null,
  -- While it is claimed: the end of the lease.
  next_attempt_at timestamptz(3) not null,
  is_claimed boolean not null default false,
  attempts int not null default 0,
  -- A message that a person asked for. It belongs to no template and has no delivery.
  notice text collate "C" check (notice in ('identity_code', 'consent_confirmation')),
  -- A test: the message, and the sealed address.
  test_message_id uuid,
  sealed_test_address text,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  check ((test_message_id is null) = (sealed_test_address is null))
) with (fillfactor = 70);
-- The next sends of a lane for each channel and team, to divide the lane fairly between teams.
create index message_sends_due on message_sends (lane, channel, team_id, next_attempt_at);
-- The time when a lane has work next.
create index message_sends_next on message_sends (lane, next_attempt_at);

-- Counts messages that people ask for: codes, and confirmations of consents. They cost money and
-- disturb their recipient, so each subject has a budget for a day that begins with the first one.
create table notice_budgets (
  team_id uuid not null,
  -- A keyed digest of the address, the network or the team.
  subject_id uuid not null,
  sent int not null,
  since timestamptz(3) not null,
  primary key (team_id, subject_id)
);
-- Old budgets, which maintenance deletes.
create index notice_budgets_since on notice_budgets (since);

-- Messages of an installation without a provider, for a developer to read.
create table mailbox_messages (
  team_id uuid not null,
  -- The id of the delivery: a second send changes nothing.
  id uuid not null,
  contact_id uuid,
  channel text collate "C" not null,
  recipient text not null,
  content jsonb not null,
  -- A code is deleted when it can no longer be answered.
  expires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
-- The list of the mailbox, newest first.
create index mailbox_messages_newest on mailbox_messages (inserted_at desc, id desc);
-- The messages to a contact, which an erasure deletes.
create index mailbox_messages_contact on mailbox_messages (team_id, contact_id);
-- Expired codes, which maintenance deletes.
create index mailbox_messages_expires_at on mailbox_messages (expires_at)
  where expires_at is not null;
