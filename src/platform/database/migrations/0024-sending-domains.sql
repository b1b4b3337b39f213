-- Domains from which a team sends e-mail in its own name.

create table sending_domains (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  -- In lower case. Several teams may have the same one, each with a challenge of its own.
  domain text collate "C" not null,
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'verified', 'failed')),
  -- The value of the record that shows that the team controls the domain.
  challenge text collate "C" not null,
  dkim_selector text collate "C" not null,
  dkim_public_key text collate "C" not null,
  -- Null once the domain is deleted.
  sealed_dkim_key text,
  -- By purpose of the record: found, different, missing or unknown.
  record_statuses jsonb not null default '{}',
  -- Checks in a row with the same outcome; the pauses between checks grow with them.
  checks_alike int not null default 0,
  -- When the ownership record was last seen.
  seen_at timestamptz(3),
  verified_at timestamptz(3),
  failed_at timestamptz(3),
  last_checked_at timestamptz(3),
  next_check_at timestamptz(3) not null default now(),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table sending_domains is 'Domains from which teams send e-mail, with their verification.';
-- A team has a domain once; also finds those that a sender may use.
create unique index sending_domains_domain on sending_domains (team_id, domain)
  where deleted_at is null;
-- The order of the list.
create index sending_domains_default on sending_domains (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- Domains whose workflow was lost.
create index sending_domains_next on sending_domains (next_check_at) where deleted_at is null;
