-- Answers of insights that took long, for those who ask the same again; the worker has them worked
-- out anew as long as somebody asks.
create table insight_cache (
  team_id uuid not null references teams (id),
  -- SHA-256 of the question, which may be longer than an index takes.
  key text collate "C" not null,
  question json not null,
  -- Null: it takes longer than somebody waits, and is worked out by the worker.
  answer json,
  expires_at timestamptz(3) not null,
  -- To the hour.
  asked_at timestamptz(3) not null,
  primary key (team_id, key)
);
create index insight_cache_expiry on insight_cache (expires_at);
