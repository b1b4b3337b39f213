-- Contacts with their accounts, consents, devices and suppressions; merges, holds and erasures. Text
-- that lists sort or compare has collation "C", so that one index serves both.

create table contacts (
  -- No foreign key: each insert would lock the row of the team, one row for all writers of a team. A
  -- team is never deleted, and the token of the caller names it.
  team_id uuid not null,
  id uuid not null,
  unique_id text collate "C",
  email text collate "C",
  email_status text collate "C" not null default 'unknown',
  phone text collate "C",
  first_name text,
  last_name text collate "C",
  preferred_name text,
  locale text collate "C",
  timezone text,
  sealed_date_of_birth text,
  postal_code text,
  tags text[] not null default '{}',
  attributes jsonb not null default '{}',
  consents jsonb not null,
  status text collate "C" not null default 'active',
  -- The contact that this one was merged into.
  merged_into_id uuid,
  last_engaged_at timestamptz(3),
  erased_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  constraint contacts_identity
    check (coalesce(unique_id, email, phone) is not null or status = 'archived'),
  constraint contacts_archived check ((status = 'archived') = (deleted_at is not null)),
  constraint contacts_merged check (merged_into_id is null or status = 'archived'),
  constraint contacts_erased check (erased_at is null or status = 'archived')
);
comment on table contacts is 'Contacts of a team: persons with their addresses, consents and attributes.';
-- A key belongs to one contact of a team that is not archived.
create unique index contacts_unique_id on contacts (team_id, unique_id)
  where unique_id is not null and status <> 'archived';
-- The default order of the list, which hides archived contacts unless a filter names the status.
create index contacts_default on contacts (team_id, inserted_at desc, id desc)
  where status <> 'archived';
-- The filter by status, which also shows archived contacts.
create index contacts_status on contacts (team_id, status, inserted_at desc, id desc);
-- The list by last change.
create index contacts_updated_at on contacts (team_id, updated_at, id) where status <> 'archived';
-- The list by last name.
create index contacts_last_name on contacts (team_id, last_name, id) where status <> 'archived';
-- The list by last name and then by age: the two orders differ in direction, so contacts_last_name
-- would sort all contacts with the same name.
create index contacts_last_name_recent
  on contacts (team_id, last_name, inserted_at desc, id desc) where status <> 'archived';
-- The list and the filter by email.
create index contacts_email on contacts (team_id, email, id) where status <> 'archived';
-- Filters by a part of the email. Entries of a GIN index wait in a list that some insert sorts into the
-- index when it is full: a pause of a fifth of a second with the default of 4 MB, of some 50 ms with
-- 2 MB. A shorter list writes more write-ahead log (docs/performance.md).
create index contacts_email_text on contacts using gin (team_id, folded(email) gin_trgm_ops)
  with (gin_pending_list_limit = 2048);
-- Filters by the start of the email, and those who have an address: one range, while the trigrams of
-- a common word fill lists that grow with the table.
create index contacts_email_start on contacts (team_id, folded(email) text_pattern_ops);
-- Filters by the end of the email, for the same reason.
create index contacts_email_end on contacts (team_id, reverse(folded(email)) text_pattern_ops);
-- The filter by the state of the email; most contacts have an unknown one.
create index contacts_email_status on contacts (team_id, email_status, inserted_at desc, id desc)
  where status <> 'archived' and email_status <> 'unknown';
-- The filter by phone.
create index contacts_phone on contacts (team_id, phone) where phone is not null;
-- The filter by locale.
create index contacts_locale on contacts (team_id, locale, inserted_at desc, id desc)
  where status <> 'archived' and locale is not null;
-- The filter by tags; most contacts have none.
create index contacts_tags on contacts using gin (team_id, tags) with (gin_pending_list_limit = 2048)
  where tags <> '{}';
-- The list by last engagement.
create index contacts_last_engaged_at on contacts (team_id, last_engaged_at, id)
  where status <> 'archived';
-- The contacts that were merged into one.
create index contacts_merged_into on contacts (team_id, merged_into_id)
  where merged_into_id is not null;
-- The key of a merged contact still names the person.
create index contacts_merged_key on contacts (team_id, unique_id)
  where merged_into_id is not null;
-- A new contact may belong to a realtime cohort.
create trigger record_inserted after insert on contacts
  referencing new table as changed for each statement execute function record_changed_contacts();
-- A change may move a contact into or out of a realtime cohort.
create trigger record_updated after update on contacts
  referencing new table as changed for each statement execute function record_changed_contacts();

create table accounts (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  unique_id text collate "C",
  name text,
  kind text collate "C" not null,
  product_id uuid,
  status text collate "C" not null generated always as (
    case when closed_at is not null then 'closed' when opened_at is not null then 'open'
      else 'pending' end
  ) stored,
  -- A closed account need not have an opening date.
  opened_at timestamptz(3),
  closed_at timestamptz(3),
  balance_cents bigint,
  currency text not null,
  is_primary boolean not null default false,
  attributes jsonb not null default '{}',
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- An account belongs to a contact of the same team.
  foreign key (team_id, contact_id) references contacts (team_id, id),
  constraint accounts_date_order check (closed_at >= opened_at)
);
comment on table accounts is 'Accounts of contacts at the partner, with product, status and balance.';
-- A key belongs to one account of a contact.
create unique index accounts_unique_id on accounts (team_id, contact_id, unique_id)
  where unique_id is not null and deleted_at is null;
-- The default order of the list.
create index accounts_default on accounts (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The accounts of a contact.
create index accounts_contact on accounts (team_id, contact_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by opening date.
create index accounts_opened_at on accounts (team_id, opened_at, id) where deleted_at is null;
-- The list by closing date.
create index accounts_closed_at on accounts (team_id, closed_at, id) where deleted_at is null;
-- The list by balance.
create index accounts_balance_cents on accounts (team_id, balance_cents, id)
  where deleted_at is null;
-- The filter by key, across contacts.
create index accounts_unique_id_text on accounts (team_id, unique_id)
  where unique_id is not null and deleted_at is null;
-- The filter by kind.
create index accounts_kind on accounts (team_id, kind, inserted_at desc, id desc)
  where deleted_at is null;
-- The filter by status.
create index accounts_status on accounts (team_id, status, inserted_at desc, id desc)
  where deleted_at is null;
-- The filter by product.
create index accounts_product on accounts (team_id, product_id, inserted_at desc, id desc)
  where deleted_at is null and product_id is not null;
-- The list by last change.
create index accounts_updated on accounts (team_id, updated_at, id) where deleted_at is null;
-- A new account may move its contact into or out of a realtime cohort.
create trigger record_inserted after insert on accounts
  referencing new table as changed for each statement execute function record_contacts_of_changed();
-- So may a changed account, for its contact before and after.
create trigger record_updated after update on accounts
  referencing new table as changed old table as former
  for each statement execute function record_contacts_of_moved();
-- So may a deleted account.
create trigger record_deleted after delete on accounts
  referencing old table as changed for each statement execute function record_contacts_of_changed();

-- A recorded consent, and the one that it replaced: the proof stays when the consent changes.
create table contact_consent_changes (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms', 'push')),
  consent jsonb not null,
  previous jsonb not null,
  client_id uuid,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table contact_consent_changes is 'append-only: each recorded consent and the one that it replaced, as proof.';
-- The changes of a contact, newest first.
create index contact_consent_changes_list
  on contact_consent_changes (team_id, contact_id, inserted_at desc, id desc);

-- A consent that the recipient is asked to confirm by a message, and where it was given: at a widget
-- within a journey, or at a form of a landing page, before there is any journey.
create table consent_confirmations (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms')),
  journey_id uuid,
  template_id uuid,
  widget_instance_id uuid,
  landing_page_id uuid,
  expires_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- The consent belongs to a contact of the same team.
  foreign key (team_id, contact_id) references contacts (team_id, id),
  check ((widget_instance_id is null) = (landing_page_id is not null))
);
comment on table consent_confirmations is 'Consents that the recipient was asked to confirm by a message.';
-- The newest confirmation of a contact for a channel.
create index consent_confirmations_contact
  on consent_confirmations (team_id, contact_id, channel, inserted_at desc);
-- Expired rows, which maintenance deletes.
create index consent_confirmations_expires_at on consent_confirmations (expires_at);

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
-- The list by last change.
create index topics_updated on topics (team_id, updated_at, id) where deleted_at is null;

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

-- An opt-out of a recipient belongs to the address, so it is kept when its contact gets another one.
create table former_opt_outs (
  team_id uuid not null,
  contact_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms')),
  -- The address or number that the contact had, folded.
  address text not null,
  consent jsonb not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, channel, address)
);
comment on table former_opt_outs is 'Opt-outs of recipients, by an address or number that their contact has no longer.';
-- Those of an address that a contact gets.
create index former_opt_outs_address on former_opt_outs (team_id, channel, address);

-- Opt-outs from topics belong to the address as well, see former_opt_outs.
create table former_topic_opt_outs (
  team_id uuid not null,
  contact_id uuid not null,
  topic_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms')),
  -- The address or number that the contact had, folded.
  address text not null,
  source text not null,
  -- When the recipient opted out.
  updated_at timestamptz(3) not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, topic_id, channel, address),
  -- An opt-out is about a topic of the same team.
  foreign key (team_id, topic_id) references topics (team_id, id)
);
comment on table former_topic_opt_outs is 'Opt-outs of recipients from topics, by an address or number that their contact has no longer.';
-- Those of an address that a contact gets.
create index former_topic_opt_outs_address
  on former_topic_opt_outs (team_id, channel, address, updated_at);

create table contact_devices (
  team_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- SHA-256 in hexadecimal, as providers report it; the token itself is sealed.
  token_hash text collate "C" not null,
  sealed_token text not null,
  platform text collate "C" not null check (platform in ('ios', 'android', 'web')),
  app_id text collate "C",
  is_active boolean not null default true,
  last_seen_at timestamptz(3) not null default now(),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A device belongs to a contact of the same team.
  foreign key (team_id, contact_id) references contacts (team_id, id)
);
comment on table contact_devices is 'Devices of contacts that receive push messages, with their sealed tokens.';
-- A token belongs to one device of a team.
create unique index contact_devices_token on contact_devices (team_id, token_hash)
  where deleted_at is null;
-- The devices of a contact.
create index contact_devices_list
  on contact_devices (team_id, contact_id, inserted_at desc, id desc) where deleted_at is null;

-- Addresses, or contacts as a whole (channel "all"), that nothing is sent to.
create table suppressions (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  channel text collate "C" not null check (channel in ('email', 'sms', 'all')),
  address text collate "C",
  contact_id uuid,
  reason text collate "C" not null,
  note text,
  source text collate "C" not null,
  -- The email_status that contacts with the address get.
  email_status text collate "C" generated always as (
    case when channel = 'email' then
      case reason when 'hard_bounce' then 'bounced' when 'complaint' then 'complained'
        when 'soft_bounces' then 'soft_bouncing' else 'suppressed' end
    end
  ) stored,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  check ((channel = 'all') = (contact_id is not null)),
  check ((channel = 'all') = (address is null)),
  -- A suppressed contact is one of the same team.
  foreign key (team_id, contact_id) references contacts (team_id, id)
);
comment on table suppressions is 'Addresses and contacts that no message is sent to, with the reason.';
-- An address is suppressed once for each channel; sending looks here.
create unique index suppressions_address on suppressions (team_id, channel, folded(address))
  where deleted_at is null and address is not null;
-- A contact is suppressed once; sending looks here.
create unique index suppressions_contact on suppressions (team_id, contact_id)
  where deleted_at is null and contact_id is not null;
-- The default order of the list.
create index suppressions_default on suppressions (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The filter by reason.
create index suppressions_reason on suppressions (team_id, reason, inserted_at desc, id desc)
  where deleted_at is null;
-- The filter by channel.
create index suppressions_channel on suppressions (team_id, channel, inserted_at desc, id desc)
  where deleted_at is null;
-- Suppressions by soft bounces, which end after a term.
create index suppressions_soft_bounces on suppressions (inserted_at)
  where reason = 'soft_bounces' and source = 'inbound' and deleted_at is null;
-- The list by last change.
create index suppressions_updated on suppressions (team_id, updated_at, id)
  where deleted_at is null;

-- Addresses, numbers and keys that a contact had before. The digest distinguishes them; an erasure
-- searches copies for the sealed value.
create table earlier_identities (
  team_id uuid not null,
  contact_id uuid not null,
  kind text collate "C" not null check (kind in ('email', 'phone', 'unique_id')),
  digest text collate "C" not null,
  sealed_value text not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, kind, digest),
  -- An identity belongs to a contact of the same team.
  foreign key (team_id, contact_id) references contacts (team_id, id)
);
comment on table earlier_identities is 'Addresses, numbers and keys that a contact had before, so that an erasure finds their copies.';

create table legal_holds (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  -- Null: the hold is on everything of the team.
  contact_id uuid,
  reason text not null,
  status text collate "C" not null
    generated always as (case when released_at is null then 'active' else 'released' end) stored,
  placed_by_client_id uuid,
  released_by_client_id uuid,
  released_at timestamptz(3),
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table legal_holds is 'Holds that keep archived messages and contacts.';
-- The default order of the list.
create index legal_holds_default on legal_holds (team_id, inserted_at desc, id desc);
-- The holds that stand, for erasures and the maintenance.
create index legal_holds_active on legal_holds (team_id, contact_id) where released_at is null;
-- The holds of contacts, for the filter, mergers and the erasure of events.
create index legal_holds_contact on legal_holds (team_id, contact_id, inserted_at desc, id desc)
  where contact_id is not null;
-- The list by last change.
create index legal_holds_updated on legal_holds (team_id, updated_at, id);

-- Erasures of persons. The ids stay; every copy of their data is deleted.
create table contact_erasures (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  -- The contact and those that were merged into it.
  contact_ids uuid[] not null,
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'sweeping', 'completed')),
  -- Addresses and keys, which find copies that name no id; null once the erasure is completed.
  sealed_identity text,
  requested_by_client_id uuid,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- When every copy was deleted for the first time; one more search follows.
  swept_at timestamptz(3),
  completed_at timestamptz(3),
  primary key (team_id, id)
);
comment on table contact_erasures is 'Requests to erase contacts, with their progress.';
-- A contact is erased once.
create unique index contact_erasures_contact on contact_erasures (team_id, contact_id);
-- Open erasures of a team, which the erasing functions and the reconciler look for.
create index contact_erasures_open on contact_erasures (team_id, inserted_at)
  where status <> 'completed';

create table erased_suppressions (
  team_id uuid not null references teams (id),
  digest text collate "C" not null,
  key_id text collate "C" not null,
  channel text collate "C" not null check (channel in ('email', 'sms')),
  reason text collate "C" not null,
  source text collate "C" not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, digest)
);
comment on table erased_suppressions is 'Keyed digests of suppressed addresses of erased contacts, which stay suppressed.';
