-- The team behind the resource: while Postgres has no statistics of a new day, it would join an index
-- that begins with the team to the key of an event, and read every event of the team for each one.
drop index webhook_events_resource;
create index webhook_events_resource on webhook_events (resource_id, team_id);
