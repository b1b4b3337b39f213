-- Widgets, the sessions that they and links open for recipients, and identity challenges.

create table widget_instances (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  widget_kind text collate "C" not null,
  template_id uuid,
  allowed_origins text[] not null,
  is_active boolean not null,
  theme jsonb,
  locale text,
  publishable_key text collate "C" not null,
  -- Null: a session lasts as long as its journey.
  session_max_days int,
  -- Tokens issued before this moment are refused.
  tokens_valid_after timestamptz(3) not null default '-infinity'::timestamptz,
  card_on_file jsonb,
  opt_in jsonb,
  mobile_app jsonb,
  last_bootstrapped_at timestamptz(3),
  bootstrap_count bigint not null default 0,
  archived_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- The template is one of the same team.
  foreign key (team_id, template_id) references templates (team_id, id)
);
comment on table widget_instances is 'Widget instances of a team, with origins, theme and publishable key.';
-- A browser names a widget by its key, without the team.
create unique index widget_instances_publishable_key on widget_instances (publishable_key);
-- The default order of the list, which hides archived widgets.
create index widget_instances_default on widget_instances (team_id, inserted_at desc, id desc)
  where deleted_at is null and archived_at is null;
-- The list by name.
create index widget_instances_name on widget_instances (team_id, name, id)
  where deleted_at is null and archived_at is null;
-- The list by last change.
create index widget_instances_updated on widget_instances (team_id, updated_at, id)
  where deleted_at is null and archived_at is null;
-- The list of archived widgets.
create index widget_instances_archived on widget_instances (team_id, inserted_at desc, id desc)
  where deleted_at is null and archived_at is not null;
-- The filter by kind.
create index widget_instances_kind
  on widget_instances (team_id, widget_kind, inserted_at desc, id desc)
  where deleted_at is null and archived_at is null;
-- The widgets of a template.
create index widget_instances_template on widget_instances (team_id, template_id)
  where template_id is not null;
-- A CORS preflight names an origin, but no widget.
create index widget_instances_origins on widget_instances using gin (allowed_origins)
  where is_active and archived_at is null and deleted_at is null;

-- A recipient in a journey, authenticated by a cookie or by the token that opened the session.
create table recipient_sessions (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- SHA-256 of 256 random bits.
  secret_hash bytea not null,
  journey_id uuid not null,
  contact_id uuid not null,
  -- The widget and the client of its token; null where a link opened the session.
  widget_instance_id uuid,
  client_id uuid,
  -- The token that the session is bound to. A passed challenge unbinds the session and revokes the
  -- token.
  token_id uuid,
  -- The token that opened the session, by which a sign-out ends it.
  opened_by_token uuid,
  -- The generation of the link that opened it; a new link ends the sessions of older ones.
  link_generation int,
  scopes text[] not null,
  -- Proof of the recipient's identity: none, an answer about recorded data, the partner's
  -- own login, or a code. An answer proves less than a code.
  assurance text collate "C" not null
    check (assurance in ('none', 'recognized', 'authenticated', 'verified')),
  -- When the recipient was identified, and when the last request with that assurance arrived.
  assured_at timestamptz(3),
  last_seen_at timestamptz(3),
  locale text,
  expires_at timestamptz(3) not null,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  constraint recipient_sessions_opened_by
    check ((opened_by_token is null) = (link_generation is not null)),
  constraint recipient_sessions_bound_to
    check (token_id is null or token_id = opened_by_token),
  constraint recipient_sessions_assured_at
    check ((assurance = 'none') or (assured_at is not null and last_seen_at is not null))
);
comment on table recipient_sessions is 'Sessions of recipients in a journey.';
-- A request names a session by its secret, without the team.
create unique index recipient_sessions_secret on recipient_sessions (secret_hash);
-- A token is bound to one session.
create unique index recipient_sessions_token on recipient_sessions (team_id, token_id)
  where token_id is not null;
-- The session that a sign-out with its token ends.
create index recipient_sessions_opened_by_token
  on recipient_sessions (team_id, opened_by_token) where opened_by_token is not null;
-- The sessions of a journey, newest first.
create index recipient_sessions_journey
  on recipient_sessions (team_id, journey_id, inserted_at desc, id desc);
-- The sessions of a contact, which an erasure deletes.
create index recipient_sessions_contact on recipient_sessions (team_id, contact_id);
-- The sessions of a widget, which end with it.
create index recipient_sessions_widget on recipient_sessions (team_id, widget_instance_id)
  where widget_instance_id is not null;
-- Expired sessions, which maintenance deletes.
create index recipient_sessions_expires_at on recipient_sessions (expires_at);

-- A question to the recipient of a session. The answers are not stored.
create table identity_challenges (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  session_id uuid not null,
  factor text collate "C" not null,
  status text collate "C" not null default 'open' check (status in ('open', 'passed', 'failed')),
  failed_count int not null default 0,
  -- The code that was sent, as long as it can be answered.
  sealed_code text,
  expires_at timestamptz(3) not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A challenge is deleted with its session.
  foreign key (team_id, session_id) references recipient_sessions (team_id, id) on delete cascade
);
comment on table identity_challenges is 'Questions and codes that prove the identity of a recipient.';
-- The challenges of a session.
create index identity_challenges_session on identity_challenges (team_id, session_id);

-- Totals of wrong answers about a contact in all sessions, which outlive every lock.
create table identity_failures (
  team_id uuid not null,
  contact_id uuid not null,
  -- Wrong answers to questions about recorded data since the last passed challenge.
  knowledge_failed int not null default 0,
  -- The same within a day that begins with the first of them.
  knowledge_today int not null default 0,
  today_since timestamptz(3),
  -- Wrong codes since the last passed challenge.
  codes_failed int not null default 0,
  last_failed_at timestamptz(3) not null,
  primary key (team_id, contact_id)
);
comment on table identity_failures is 'Numbers of wrong answers about a contact in all sessions.';

-- Wrong answers and codes by the network that they came from. A lock applies to one network, so that
-- the holder of a forwarded link cannot lock out the customer.
create table identity_sources (
  team_id uuid not null,
  contact_id uuid not null,
  -- A keyed digest of the contact and the network.
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
comment on table identity_sources is 'Wrong answers and codes about a contact by network, with locks.';
-- Old rows, which maintenance deletes.
create index identity_sources_updated_at on identity_sources (updated_at);
