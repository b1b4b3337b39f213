-- A form that names an erased person is found by its words, which the first sweep takes out. What a
-- receiver answered to its event after that is found by the event, which is erased.
create or replace function erase_forms(team uuid, needles text[], most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  named uuid[] := array(
    select e.id from engagement_events e
    where e.team_id = team and e.kind = 'widget.submitted' and e.source = 'landing_page'
      and e.contact_id is null and e.properties is not null
      and exists (select from contact_erasures c where c.team_id = team and c.status <> 'completed')
      and exists (
        select from unnest(needles) as n (text) where strpos(lower(e.properties::text), n.text) > 0)
    limit most);
  emptied uuid[] := array(
    select e.id from engagement_events e
    where e.team_id = team and e.kind = 'widget.submitted' and e.source = 'landing_page'
      and e.contact_id is null and e.properties is null
      and exists (select from contact_erasures c where c.team_id = team and c.status <> 'completed')
      and exists (
        select from webhook_events w
        where w.team_id = team and w.resource_id = e.id and w.is_erased));
  cut int := 0;
  changed int := 1;
  events int;
begin
  while changed > 0 loop
    changed := cut_events(team, named || emptied, most);
    cut := cut + changed;
  end loop;
  with found as (
    select id, occurred_at, kind, unique_id from engagement_events
    where team_id = team and kind = 'widget.submitted' and source = 'landing_page'
      and contact_id is null and id = any(named)
  ),
  keys as (
    delete from engagement_event_keys k using found
    where k.team_id = team and k.kind = found.kind and k.unique_id = found.unique_id
  )
  update engagement_events e
  set url = null, user_agent = null, ip_truncated = null, properties = null, unique_id = null
  from found where e.team_id = team and e.id = found.id and e.occurred_at = found.occurred_at;
  get diagnostics events = row_count;
  return cut + events;
end $$;
