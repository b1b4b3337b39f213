-- Partners are told what recipients send through widgets, which may name a person.

-- Cuts events to ids, and takes away what receivers answered; returns how many it changed.
create or replace function erase_events(team uuid, ids uuid[], most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  erased uuid[] := array(select erased_contacts(team, ids));
  about uuid[] := erased
    || array(select id from accounts where team_id = team and contact_id = any(erased))
    || array(select id from objective_completions where team_id = team and contact_id = any(erased))
    || array(select id from message_deliveries where team_id = team and contact_id = any(erased))
    || array(select id from sftp_uploads where team_id = team and erased_at is not null)
    || array(
      select id from engagement_events
      where team_id = team and contact_id = any(erased) and kind = 'widget.submitted');
  events int;
  attempts int;
begin
  with found as (
    select day, id from webhook_events
    where team_id = team and resource_id = any(about) and not is_erased
    limit most
  )
  update webhook_events e
  set is_erased = true, body = json_build_object(
    'id', e.id, 'type', e.type, 'timestamp', e.body::json -> 'timestamp', 'team_id', e.team_id,
    'api_version', e.body::json -> 'api_version', 'sequence', e.sequence,
    'data', json_strip_nulls(json_build_object('id', e.resource_id,
      'type', e.body::json -> 'data' -> 'type', 'team_id', e.team_id,
      'contact_id', e.body::json -> 'data' -> 'contact_id', 'is_erased', true)))::text
  from found where e.day = found.day and e.id = found.id and e.team_id = team;
  get diagnostics events = row_count;
  with found as (
    select a.day, a.delivery_id, a.number
    from webhook_events e
    join webhook_subscriptions s on s.team_id = team
    join webhook_deliveries d on d.team_id = team and d.subscription_id = s.id
      and d.inserted_at = e.inserted_at and d.event_id = e.id
    join webhook_attempts a on a.delivery_id = d.id and a.team_id = team
    where e.team_id = team and e.resource_id = any(about)
      and (a.response_body is not null or a.response_headers is not null
        or a.error_detail is not null)
    limit most
  )
  update webhook_attempts a
  set response_body = null, response_headers = null, error_detail = null
  from found
  where a.day = found.day and a.delivery_id = found.delivery_id and a.number = found.number
    and a.team_id = team;
  get diagnostics attempts = row_count;
  return events + attempts;
end $$;
