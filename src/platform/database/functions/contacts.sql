-- Merging and erasing contacts. These functions change append-only tables with the owner's rights, so
-- each checks that its contacts are merged or erased.

-- Assigns the append-only rows of a merged contact to the contact that it was merged into.
create or replace function move_contact_history(team uuid, loser uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  winner uuid;
begin
  select merged_into_id into winner from contacts where team_id = team and id = loser;
  if winner is null then
    raise exception 'the contact is not merged';
  end if;
  update engagement_events set contact_id = winner where team_id = team and contact_id = loser;
  update contact_consent_changes set contact_id = winner
  where team_id = team and contact_id = loser;
  update contact_topic_consent_changes set contact_id = winner
  where team_id = team and contact_id = loser;
end $$;

-- Returns those of the ids that belong to erased contacts.
create or replace function erased_contacts(team uuid, ids uuid[]) returns setof uuid
language sql stable as $$
  select id from contacts where team_id = team and id = any(ids) and erased_at is not null
$$;

-- Reduces events about these resources to ids, and deletes what receivers answered to them. Returns
-- the number of changed rows, at most `most` of each kind.
create or replace function cut_events(team uuid, about uuid[], most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
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

-- Only the functions below may call it: they check who was erased.
revoke all on function cut_events(uuid, uuid[], int) from public;

-- Reduces the events about erased contacts and their records to ids; returns the number of changed
-- rows.
create or replace function erase_events(team uuid, ids uuid[], most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  erased uuid[] := array(select erased_contacts(team, ids));
begin
  return cut_events(team, erased
    || array(select id from accounts where team_id = team and contact_id = any(erased))
    || array(select id from objective_completions where team_id = team and contact_id = any(erased))
    || array(select id from message_deliveries where team_id = team and contact_id = any(erased))
    || array(select id from legal_holds where team_id = team and contact_id = any(erased))
    || array(select id from sftp_uploads where team_id = team and erased_at is not null)
    || array(
      select id from engagement_events
      where team_id = team and contact_id = any(erased)
        and (kind = 'widget.submitted' or kind like 'custom.%')), most);
end $$;

-- Deletes the consents of erased contacts, and the personal data of their engagement; what is counted
-- stays. Returns the number of changed rows.
create or replace function erase_history(team uuid, ids uuid[], most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  erased uuid[] := array(select erased_contacts(team, ids));
  events int;
  consents int;
  topics int;
begin
  with found as (
    select id, occurred_at, kind, unique_id from engagement_events
    where team_id = team and contact_id = any(erased)
      and (url is not null or user_agent is not null or ip_truncated is not null
        or properties is not null or unique_id is not null)
    limit most
  ),
  keys as (
    delete from engagement_event_keys k using found
    where k.team_id = team and k.kind = engagement_key_kind(found.kind) and k.unique_id = found.unique_id
  )
  update engagement_events e
  set url = null, user_agent = null, ip_truncated = null, properties = null, unique_id = null
  from found where e.team_id = team and e.id = found.id and e.occurred_at = found.occurred_at;
  get diagnostics events = row_count;
  delete from contact_consent_changes
  where team_id = team and id in (
    select id from contact_consent_changes
    where team_id = team and contact_id = any(erased) limit most);
  get diagnostics consents = row_count;
  delete from contact_topic_consent_changes
  where team_id = team and id in (
    select id from contact_topic_consent_changes
    where team_id = team and contact_id = any(erased) limit most);
  get diagnostics topics = row_count;
  return events + consents + topics;
end $$;

-- Deletes the data of events without a contact that name an erased person: submissions of forms, and
-- custom events; the events stay. It runs only while an erasure of the team is open. The first pass
-- empties the properties, by which an event is found; a later pass finds what receivers answered by the
-- event that was erased. Returns the number of changed rows.
create or replace function erase_forms(team uuid, needles text[], most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_open boolean := exists (
    select from contact_erasures c where c.team_id = team and c.status <> 'completed');
  named uuid[] := array(
    select e.id from (
      select id, properties, unique_id from engagement_events
      where team_id = team and kind = 'widget.submitted' and source = 'landing_page'
        and contact_id is null and is_open
      union all
      select id, properties, unique_id from engagement_events
      where team_id = team and kind like 'custom.%' and contact_id is null and is_open
    ) e
    where exists (
      select from unnest(needles) as n (text)
      where strpos(folded(coalesce(e.properties::text, '')), n.text) > 0
        or strpos(folded(coalesce(e.unique_id, '')), n.text) > 0)
    limit most);
  emptied uuid[] := array(
    select e.id from (
      select id from engagement_events
      where team_id = team and kind = 'widget.submitted' and source = 'landing_page'
        and contact_id is null and properties is null and is_open
      union all
      select id from engagement_events
      where team_id = team and kind like 'custom.%' and contact_id is null
        and properties is null and is_open
    ) e
    where exists (
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
    where team_id = team and contact_id is null and id = any(named)
  ),
  keys as (
    delete from engagement_event_keys k using found
    where k.team_id = team and k.kind = engagement_key_kind(found.kind)
      and k.unique_id = found.unique_id
  )
  update engagement_events e
  set url = null, user_agent = null, ip_truncated = null, properties = null, unique_id = null
  from found where e.team_id = team and e.id = found.id and e.occurred_at = found.occurred_at;
  get diagnostics events = row_count;
  return cut + events;
end $$;

-- Deletes lines of read logs whose term has ended, at most `most`; returns how many. It runs with the
-- owner's rights: the service itself can neither change nor delete a line.
create or replace function prune_contact_reads(most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  pruned int;
begin
  delete from contact_reads
  where (team_id, contact_id, client_id, operation, occurred_at) in (
    select team_id, contact_id, client_id, operation, occurred_at from contact_reads
    where expires_at < now() limit most);
  get diagnostics pruned = row_count;
  return pruned;
end $$;
