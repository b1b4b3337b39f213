-- What recipients reach: sessions that widgets and links open, and the proofs of identity in them.

-- Tokens of a widget that were issued before this moment are refused.
alter table widget_instances
  add column tokens_valid_after timestamptz(3) not null default '-infinity'::timestamptz;
-- Browsers ask for an origin before anybody says whose it is.
create index widget_instances_origins on widget_instances using gin (allowed_origins)
  where is_active and archived_at is null and deleted_at is null;

-- One recipient in one journey, by a cookie or by the token that opened the session.
create table recipient_sessions (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- SHA-256 of 256 random bits.
  secret_hash bytea not null,
  journey_id uuid not null,
  contact_id uuid not null,
  -- The widget, the token and its client; null where a link opened the session.
  widget_instance_id uuid,
  token_id uuid,
  client_id uuid,
  -- The link; a fresh one ends the sessions of the older ones.
  link_generation int,
  scopes text[] not null,
  -- How far the recipient is known: by nothing, by the partner's own login, by a challenge.
  assurance text collate "C" not null check (assurance in ('none', 'authenticated', 'verified')),
  locale text,
  expires_at timestamptz(3) not null,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  check ((token_id is null) = (link_generation is not null))
);
create unique index recipient_sessions_secret on recipient_sessions (secret_hash);
create unique index recipient_sessions_token on recipient_sessions (team_id, token_id)
  where token_id is not null;
create index recipient_sessions_journey
  on recipient_sessions (team_id, journey_id, inserted_at desc, id desc);
create index recipient_sessions_contact on recipient_sessions (team_id, contact_id);
create index recipient_sessions_widget on recipient_sessions (team_id, widget_instance_id)
  where widget_instance_id is not null;
create index recipient_sessions_expires_at on recipient_sessions (expires_at);

-- A question that was put to the recipient of a session. What was answered is not kept.
create table identity_challenges (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  session_id uuid not null,
  factor text collate "C" not null,
  status text collate "C" not null default 'open' check (status in ('open', 'passed', 'failed')),
  expires_at timestamptz(3) not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, session_id) references recipient_sessions (team_id, id) on delete cascade
);
create index identity_challenges_session on identity_challenges (team_id, session_id);

-- Wrong answers about a contact, whoever gave them and in whichever session.
create table identity_failures (
  team_id uuid not null,
  contact_id uuid not null,
  failed_count int not null,
  last_failed_at timestamptz(3) not null,
  locked_until timestamptz(3),
  primary key (team_id, contact_id)
);
