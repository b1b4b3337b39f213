-- What an erasure needs to know of the past of a person, and what it leaves so that nobody is
-- written to again who complained.

-- Addresses, numbers and keys that a contact had before. The digest tells equal ones apart, the
-- sealed value is what copies are searched for.
create table earlier_identities (
  team_id uuid not null,
  contact_id uuid not null,
  kind text collate "C" not null check (kind in ('email', 'phone', 'unique_id')),
  digest text collate "C" not null,
  sealed_value text not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, kind, digest),
  foreign key (team_id, contact_id) references contacts (team_id, id)
);

-- Suppressed addresses of erased contacts, by their keyed digest.
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
