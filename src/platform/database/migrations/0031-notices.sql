-- What is sent to one person because that person asked for it: it belongs to no template, and has no
-- delivery. In the queue it has the id of what it is about, which knows the rest.
alter table message_sends
  add column notice text collate "C"
    check (notice in ('identity_code', 'consent_confirmation'));

-- A code that was sent to the recipient, sealed, as long as it can be answered.
alter table identity_challenges add column sealed_code text;

-- Codes that were asked for about a contact since the first of them: each costs a message.
alter table identity_failures
  add column codes_sent int not null default 0,
  add column codes_since timestamptz(3);

-- A consent that the recipient is to confirm by a message, and where it was asked for.
create table consent_confirmations (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms')),
  journey_id uuid not null,
  template_id uuid not null,
  widget_instance_id uuid not null,
  expires_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, contact_id) references contacts (team_id, id)
);
create index consent_confirmations_contact
  on consent_confirmations (team_id, contact_id, channel, inserted_at desc);
create index consent_confirmations_expires_at on consent_confirmations (expires_at);
