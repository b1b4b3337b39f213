-- Sends that a client requests one by one, with data of their own; they precede those of campaigns.

-- The JSON Schema of the data of its sends.
alter table messages add column data_schema jsonb;

-- Whether it precedes the others.
alter table message_sends add column is_urgent boolean not null default false;
-- A requested send: the version of the template with its content, and its data, sealed.
alter table message_sends add column template_version int;
alter table message_sends add column sealed_data text;
-- The next sends of a lane for each channel and team, the urgent ones apart, to divide the lane fairly
-- between teams.
drop index message_sends_due;
create index message_sends_due
  on message_sends (lane, channel, team_id, is_urgent, next_attempt_at);
