-- Functions of generated columns. Their results are stored, so a change of one needs a migration that
-- computes the columns again.

-- Returns the ids of a JSON array in its order.
create or replace function ids_in(list jsonb) returns uuid[] language sql immutable as $$
  select coalesce(array_agg(one::uuid order by place), '{}')
  from jsonb_array_elements_text(coalesce(list, '[]')) with ordinality as listed (one, place)
$$;

-- Returns the messages that are sent when something happens: [{"id": …, "trigger": {…}}].
create or replace function awaiting_in(messages jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', one -> 'id', 'trigger', one -> 'trigger')), '[]')
  from jsonb_array_elements(coalesce(messages, '[]')) as listed (one)
  where one -> 'trigger' ->> 'kind' in ('on_event', 'on_page')
$$;
