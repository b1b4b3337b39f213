-- Persons that are forgotten: a tombstone of ids stays, and every copy of what was known goes.

alter table contacts
  add column erased_at timestamptz(3),
  add constraint contacts_erased check (erased_at is null or status = 'archived');

create table contact_erasures (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  -- The contact and those that were merged into it.
  contact_ids uuid[] not null,
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'sweeping', 'completed')),
  -- Addresses and keys, by which copies are found that name no id; gone when it is completed.
  sealed_identity text,
  requested_by_client_id uuid,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- When every copy was gone for the first time; it is looked once more.
  swept_at timestamptz(3),
  completed_at timestamptz(3),
  primary key (team_id, id)
);
create unique index contact_erasures_contact on contact_erasures (team_id, contact_id);
create index contact_erasures_open on contact_erasures (team_id, inserted_at)
  where status <> 'completed';

-- Whom a stored answer is about: sealed ones cannot be searched.
alter table idempotency_keys add column contact_ids uuid[];

alter table webhook_events add column is_erased boolean not null default false;
create index webhook_events_resource on webhook_events (team_id, resource_id);

-- What follows changes append-only tables with the owner's rights, and only what is about contacts
-- that are erased.

create function erased_contacts(team uuid, ids uuid[]) returns setof uuid
language sql stable as $$
  select id from contacts where team_id = team and id = any(ids) and erased_at is not null
$$;

-- Cuts events to ids, and takes away what receivers answered; returns how many it changed.
create function erase_events(team uuid, ids uuid[], most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  erased uuid[] := array(select erased_contacts(team, ids));
  about uuid[] := erased
    || array(select id from accounts where team_id = team and contact_id = any(erased))
    || array(select id from objective_completions where team_id = team and contact_id = any(erased))
    || array(select id from message_deliveries where team_id = team and contact_id = any(erased));
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

-- Leaves of engagement what is counted, and of consents nothing; returns how many it changed.
create function erase_history(team uuid, ids uuid[], most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  erased uuid[] := array(select erased_contacts(team, ids));
  events int;
  consents int;
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
    where k.team_id = team and k.kind = found.kind and k.unique_id = found.unique_id
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
  return events + consents;
end $$;
