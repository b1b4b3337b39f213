-- A session of the team's pages: one link, which opens it once.
create table portal_sessions (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  -- The client that made it. The session has at most the rights that its token had.
  client_id uuid not null,
  -- A name for people who look at the list.
  label text,
  -- The page that the link opens.
  page text collate "C" not null,
  scopes text[] not null,
  allowed_origins text[] not null,
  -- SHA-256 of the secret in the link.
  secret_hash bytea not null,
  link_expires_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  opened_at timestamptz(3),
  ended_at timestamptz(3),
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, client_id) references clients (team_id, id)
);
-- The link names the session alone.
create unique index portal_sessions_id on portal_sessions (id);
-- The orders of the list; the id breaks ties.
create index portal_sessions_default on portal_sessions (team_id, inserted_at desc, id desc)
  where ended_at is null;
create index portal_sessions_expires_at on portal_sessions (team_id, expires_at, id)
  where ended_at is null;
-- Those whose time is over.
create index portal_sessions_expired on portal_sessions (expires_at);
comment on table portal_sessions is 'Links to the team''s pages, each opened once, with their scopes and their end.';
