-- Totals of wrong answers about a contact, which outlive every lock. The columns failed_count,
-- locked_until, codes_sent and codes_since are used by the version before only.
alter table identity_failures
  alter column failed_count set default 0,
  -- Wrong answers to questions about recorded data since the last passed challenge.
  add column knowledge_failed int not null default 0,
  -- The same within a day that begins with the first of them.
  add column knowledge_today int not null default 0,
  add column today_since timestamptz(3),
  -- Wrong codes since the last passed challenge.
  add column codes_failed int not null default 0;

-- Wrong answers and codes by the network that they came from. A lock holds for one network, so that
-- the holder of a forwarded link cannot lock out the customer.
create table identity_sources (
  team_id uuid not null,
  contact_id uuid not null,
  -- A keyed digest of the contact and the network: it shows no address.
  source_id uuid not null,
  failed_count int not null default 0,
  last_failed_at timestamptz(3),
  locked_until timestamptz(3),
  -- Locks so far; each lasts twice as long as the one before.
  lock_count int not null default 0,
  codes_sent int not null default 0,
  codes_since timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, source_id)
);
create index identity_sources_updated_at on identity_sources (updated_at);

alter table identity_challenges add column failed_count int not null default 0;

-- An answer to a question about recorded data proves less than a code.
alter table recipient_sessions
  drop constraint recipient_sessions_assurance_check,
  add constraint recipient_sessions_assurance_check
    check (assurance in ('none', 'recognized', 'authenticated', 'verified'));
