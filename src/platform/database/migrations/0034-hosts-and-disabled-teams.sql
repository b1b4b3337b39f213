-- When an operator disabled the team; null: it is not.
alter table teams add column disabled_at timestamptz(3);
-- A tracking domain belongs to one team: its host serves the links of no other.
create unique index teams_tracking_domain on teams ((tracking ->> 'domain'))
  where tracking ->> 'domain' is not null;
-- The few teams that every process knows: those that are disabled or track.
create index teams_states on teams (id) where disabled_at is not null or tracking is not null;
