-- Who acted besides clients, and from where. The trail of the whole installation has the team id of
-- zeros, which no team has.

alter table audit_events
  -- Null where an operator acted by an admin command.
  alter column client_id drop not null,
  add column actor text,
  -- Chosen by the service; request_id is the caller's choice.
  add column server_request_id uuid,
  add column source_ip text collate "C",
  add column user_agent text,
  -- Of refused requests: why, and how many there were.
  add column reason text collate "C",
  add column occurrence_count int;

alter table request_log
  add column server_request_id uuid,
  -- Requests of recipients, whose addresses are personal data, are in no request log.
  add column source_ip text collate "C",
  add column user_agent text;

create index audit_events_source on audit_events (team_id, source_ip, occurred_at desc, id desc)
  where source_ip is not null;
