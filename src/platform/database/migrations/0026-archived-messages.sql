-- The archive of what was sent, for teams that switch it on.

-- Terms of data of the team, as far as they differ from those of the installation.
alter table teams add column retention jsonb;

-- Sealed contents of archived messages; equal contents of a team are stored once.
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
-- The order of the list.
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
select ensure_month_partitions();
