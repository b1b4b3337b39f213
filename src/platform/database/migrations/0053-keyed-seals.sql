-- Seals of the audit trail need a key that is not in the database: from here on its owner can
-- change lines, but make no seals for them.

alter table audit_seals add column key_id text collate "C";
-- Lines that were sealed before stay as they are; a worker of an earlier version adds no more.
alter table audit_seals
  add constraint audit_seals_keyed check (key_id is not null) not valid;

-- The keyed seal of this event covers all lines before it.
with event as (
  insert into audit_events
    (team_id, action, resource_type, resource_id, changed_fields, actor, request_id)
  select distinct team_id, 'audit_trail.keyed', 'audit_trail', team_id, '{}'::text[], 'migration',
    'migration'
  from audit_seals
  returning team_id, id, occurred_at
)
insert into audit_unsealed (team_id, event_id, occurred_at) select * from event;
