-- The kind under which the unique id of an event is stored. Custom events of a team have one set of
-- ids, so that the id alone identifies a repeat; other events have a set for each kind.
create or replace function engagement_key_kind(kind text) returns text
language sql immutable parallel safe as $$
  select case when kind like 'custom.%' then 'custom.' else kind end
$$;
