-- Deliveries of messages with their counters, the send queue, providers, the archive and the mailbox.

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
  -- The topic that the message had when its delivery was decided.
  topic_id uuid,
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
comment on table message_deliveries is 'Sends of a message to a contact, with their outcome, partitioned by month.';
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
-- The filter by topic.
create index message_deliveries_topic
  on message_deliveries (team_id, topic_id, inserted_at desc, id desc)
  where topic_id is not null;
-- The delivery that the callback of a provider is about.
create index message_deliveries_provider
  on message_deliveries (team_id, provider_message_id) where provider_message_id is not null;
-- Deliveries by the time when sending ended, sent or failed: insights and rollups read periods.
create index message_deliveries_over
  on message_deliveries (team_id, (coalesce(sent_at, failed_at)))
  where coalesce(sent_at, failed_at) is not null;
-- The list by last change.
create index message_deliveries_updated on message_deliveries (team_id, updated_at, id);
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
comment on table message_stats is 'Figures of all deliveries of a message, as the sum of several rows.';

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
  -- Whether it precedes the others: a send that a client requested by itself does.
  is_urgent boolean not null default false,
  attempts int not null default 0,
  -- Number of providers that have not taken the message: its next attempt goes to the one after them.
  providers_passed smallint not null default 0,
  -- When marketing was counted for the frequency cap of its team, right before it was handed over. It
  -- counts until the delivery has its outcome.
  counted_at timestamptz(3),
  -- A requested send: the version of the template with its content, and its data.
  template_version int,
  sealed_data text,
  -- A message that a person asked for. It belongs to no template and has no delivery.
  notice text collate "C"
    check (notice in ('identity_code', 'consent_confirmation', 'test_recipient')),
  -- A test: the message, and the sealed address.
  test_message_id uuid,
  sealed_test_address text,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  check ((test_message_id is null) = (sealed_test_address is null))
) with (fillfactor = 70);
comment on table message_sends is 'The send queue: messages that wait for a provider or a further attempt.';
-- The next sends of a lane for each channel and team, the urgent ones apart, to divide the lane fairly
-- between teams.
create index message_sends_due
  on message_sends (lane, channel, team_id, is_urgent, next_attempt_at);
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
comment on table notice_budgets is 'Codes and confirmations sent within a day for an address, a network or a team.';
-- Old budgets, which maintenance deletes.
create index notice_budgets_since on notice_budgets (since);

create table test_recipients (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  channel text collate "C" not null check (channel in ('email', 'sms', 'push')),
  name text,
  status text collate "C" not null default 'pending' check (status in ('pending', 'confirmed')),
  to_masked text not null,
  sealed_address text not null,
  -- A keyed digest of channel and address, to find it again.
  digest text collate "C" not null,
  -- The id of the latest message with the link: providers send nothing twice under one id.
  confirmation_id uuid not null,
  link_expires_at timestamptz(3),
  confirmed_at timestamptz(3),
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  check ((status = 'confirmed') = (confirmed_at is not null)),
  check ((status = 'pending') = (link_expires_at is not null))
);
comment on table test_recipients is 'Addresses that test sends may go to; the owner of each confirms it by a link.';
-- An address is a test recipient once; test sends look here.
create unique index test_recipients_digest on test_recipients (team_id, digest);
-- Addresses that were not confirmed in time, which maintenance deletes.
create index test_recipients_link_expires_at on test_recipients (link_expires_at)
  where status = 'pending';
-- The list by last change.
create index test_recipients_updated on test_recipients (team_id, updated_at, id);

create table sending_providers (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  channel text collate "C" not null check (channel in ('email', 'sms', 'push')),
  kind text collate "C" not null check (kind in
    ('smtp', 'email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b')),
  name text not null,
  -- 1 is the first choice; a later one is used while those before it accept nothing.
  priority int not null default 1 check (priority between 1 and 100),
  is_active boolean not null default true,
  -- smtp://host:port, smtps://host:port, or the base of an HTTP interface.
  url text collate "C" not null,
  account text collate "C",
  -- The provider behind an SMTP server; selects the headers that carry our ids.
  family text collate "C" check (family in ('email_a', 'email_b', 'email_c')),
  -- E-mail: one address. SMS: numbers and names. The first is that of messages that name none.
  senders text[] not null default '{}',
  -- Null once the provider is deleted.
  sealed_secret text,
  -- The secret before the last rotation; used where the provider rejects the new one.
  sealed_previous_secret text,
  previous_secret_expires_at timestamptz(3),
  secret_changed_at timestamptz(3) not null default now(),
  -- The client that last changed where messages leave to.
  changed_by_client_id uuid,
  -- Null until the settings are released; each change of them needs another release.
  released_at timestamptz(3),
  -- The last test: a worker logs in and sends nothing.
  test_requested_at timestamptz(3),
  test_started_at timestamptz(3),
  tested_at timestamptz(3),
  test_error_code text collate "C",
  -- While the provider accepts nothing, as the workers have found out.
  halted_at timestamptz(3),
  halt_code text collate "C",
  next_probe_at timestamptz(3),
  -- Sequence of the last event; the state has no lock_version of its own.
  event_sequence bigint not null default 0,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table sending_providers is 'Providers through which teams send their messages.';
-- The providers of a team's channel, for claims and sends.
create index sending_providers_channel on sending_providers (team_id, channel, priority)
  where deleted_at is null and is_active;
-- The default order of the list.
create index sending_providers_default on sending_providers (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- Requested tests.
create index sending_providers_tests on sending_providers (test_requested_at)
  where test_requested_at is not null;
-- Secrets whose overlap has ended.
create index sending_providers_previous on sending_providers (previous_secret_expires_at)
  where sealed_previous_secret is not null;
-- The list by last change.
create index sending_providers_updated on sending_providers (team_id, updated_at, id)
  where deleted_at is null;

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
comment on table mailbox_messages is 'Messages of channels without a provider, for developers to read.';
-- The list of the mailbox, newest first.
create index mailbox_messages_newest on mailbox_messages (inserted_at desc, id desc);
-- The messages to a contact, which an erasure deletes.
create index mailbox_messages_contact on mailbox_messages (team_id, contact_id);
-- Expired codes, which maintenance deletes.
create index mailbox_messages_expires_at on mailbox_messages (expires_at)
  where expires_at is not null;

create table archived_contents (
  team_id uuid not null,
  -- The first half of a keyed digest of the content.
  id uuid not null,
  sealed_content text not null,
  -- Each use writes it, so that a deletion of the content waits for the use.
  used_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table archived_contents is 'Sealed contents of archived messages, each once for a team.';

-- One line for each message that a provider took. Partitioned by the month of its delivery, so that
-- the indexes in use stay small. No foreign keys: the parents are hot.
create table archived_messages (
  team_id uuid not null,
  -- The id of the delivery.
  id uuid not null,
  contact_id uuid not null,
  message_id uuid not null,
  template_id uuid not null,
  template_version int not null,
  journey_id uuid,
  channel text collate "C" not null,
  provider text collate "C" not null,
  provider_message_id text,
  sender text,
  to_masked text,
  -- A list in JSON: one address or number, or the push tokens.
  sealed_addresses text,
  consent_status text collate "C",
  -- Null where the process ended before the content was stored, and after an erasure.
  content_id uuid,
  sent_at timestamptz(3) not null,
  -- By the term of the team when the message was sent; a later change of the term does not move it.
  expires_at timestamptz(3) not null,
  erased_at timestamptz(3),
  lock_version bigint not null default 1,
  -- That of the delivery, so that a delivery has one line.
  inserted_at timestamptz(3) not null,
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id, inserted_at)
) partition by range (inserted_at);
comment on table archived_messages is 'Messages that providers took, of teams that archive them.';
create table archived_messages_default partition of archived_messages default;
-- The default order of the list.
create index archived_messages_sent on archived_messages (team_id, sent_at, id);
-- The filter by contact; erasures and mergers.
create index archived_messages_contact on archived_messages (team_id, contact_id, sent_at, id);
-- The filter by message.
create index archived_messages_message on archived_messages (team_id, message_id, sent_at, id);
-- Whether a content is still in use.
create index archived_messages_content on archived_messages (team_id, content_id)
  where content_id is not null;
-- Messages of a team whose term has ended.
create index archived_messages_expires on archived_messages (team_id, expires_at);
