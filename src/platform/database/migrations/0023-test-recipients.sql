-- Test recipients: addresses that test sends may go to, once their owner has confirmed them.

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

-- A link that confirms a test recipient is a notice too.
alter table message_sends drop constraint message_sends_notice_check;
alter table message_sends add constraint message_sends_notice_check
  check (notice in ('identity_code', 'consent_confirmation', 'test_recipient'));
