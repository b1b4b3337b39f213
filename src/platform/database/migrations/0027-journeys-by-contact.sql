-- Lanes divide contacts since 0023; nothing asks for the shard of a journey any more.

alter table journeys drop column shard;
