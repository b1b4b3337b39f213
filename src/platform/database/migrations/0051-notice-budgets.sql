-- Messages that people ask for: codes, and confirmations of consents. They cost money and disturb
-- their recipient, so they are counted for a day that begins with the first of them.
create table notice_budgets (
  team_id uuid not null,
  -- A keyed digest of the address, the network or the team: it shows neither.
  subject_id uuid not null,
  sent int not null,
  since timestamptz(3) not null,
  primary key (team_id, subject_id)
);
create index notice_budgets_since on notice_budgets (since);

-- Numbers that such messages may be sent to, by their first digits; none: every number.
alter table teams add column sms_allowed_prefixes text[] collate "C" not null default '{}';

-- Codes are not kept in the mailbox for longer than they can be answered.
alter table mailbox_messages add column expires_at timestamptz(3);
create index mailbox_messages_expires_at on mailbox_messages (expires_at)
  where expires_at is not null;
