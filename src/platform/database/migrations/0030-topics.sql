-- Subscription topics of a team, and the consents of contacts to them.

create table topics (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  description text,
  position int not null check (position between 0 and 10000),
  -- In effect where a contact has made no choice.
  default_consent text collate "C" not null
    check (default_consent in ('subscribed', 'unsubscribed')),
  localizations jsonb not null default '{}',
  archived_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table topics is 'Subjects of marketing messages that recipients choose one by one.';
-- A name belongs to one topic of a team, and is the order of the list by name.
create unique index topics_name on topics (team_id, name) where deleted_at is null;
-- The order of the list and of the preference center.
create index topics_position on topics (team_id, position, id) where deleted_at is null;

-- The choices of contacts; without one, the default of the topic is in effect.
create table contact_topic_consents (
  team_id uuid not null,
  contact_id uuid not null,
  topic_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms', 'push')),
  status text collate "C" not null check (status in ('subscribed', 'unsubscribed')),
  source text not null,
  evidence text,
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, topic_id, channel),
  -- A choice is about a topic of the same team.
  foreign key (team_id, topic_id) references topics (team_id, id)
);
comment on table contact_topic_consents is 'Consents of contacts to topics, for each channel; history in contact_topic_consent_changes.';
-- The choices about a topic, for cohorts.
create index contact_topic_consents_topic
  on contact_topic_consents (team_id, topic_id, channel, contact_id);

-- A recorded choice, and the one that it replaced: the proof stays when the choice changes.
create table contact_topic_consent_changes (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  topic_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms', 'push')),
  consent jsonb not null,
  -- Null where there was no choice before.
  previous jsonb,
  client_id uuid,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table contact_topic_consent_changes is 'append-only: each recorded consent to a topic and the one that it replaced, as proof.';
-- The changes of a contact, newest first.
create index contact_topic_consent_changes_list
  on contact_topic_consent_changes (team_id, contact_id, inserted_at desc, id desc);

-- The topic of a marketing message, which its recipients choose.
alter table messages add column topic_id uuid;
-- The topic of a message is one of the same team.
alter table messages add constraint messages_topic
  foreign key (team_id, topic_id) references topics (team_id, id);
-- The messages of a topic, which cannot be deleted while it has some.
create index messages_of_topic on messages (team_id, topic_id, position, id)
  where topic_id is not null and deleted_at is null;
-- The topic that the message had when its delivery was decided.
alter table message_deliveries add column topic_id uuid;
-- The filter by topic.
create index message_deliveries_topic
  on message_deliveries (team_id, topic_id, inserted_at desc, id desc)
  where topic_id is not null;
