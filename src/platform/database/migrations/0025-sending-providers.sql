-- Providers through which a team sends its own messages.

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
-- The order of the list.
create index sending_providers_default on sending_providers (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- Requested tests.
create index sending_providers_tests on sending_providers (test_requested_at)
  where test_requested_at is not null;
-- Secrets whose overlap has ended.
create index sending_providers_previous on sending_providers (previous_secret_expires_at)
  where sealed_previous_secret is not null;
