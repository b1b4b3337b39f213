-- How far the journeys of a template have been given its deadline, so that a round of their workflow
-- goes on where the last one ended, and one that is about something else looks at none of them.
alter table journey_resyncs
  -- What was asked for by then is what it is about.
  add column deadline_revision bigint not null default 0,
  -- Null: all have it.
  add column deadline_cursor uuid;
