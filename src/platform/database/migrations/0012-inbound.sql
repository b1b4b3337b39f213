-- Callbacks of providers: receivers, what came in, and what keeps a callback from counting twice.

create table incoming_webhook_receivers (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  receiver_kind text collate "C" not null,
  name text collate "C",
  is_active boolean not null,
  dedup_window_seconds int not null check (dedup_window_seconds between 0 and 604800),
  signature_required boolean not null,
  -- What proofs are judged by, but for the secrets.
  settings jsonb not null default '{}',
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
-- An address names a receiver, not its team.
create unique index incoming_webhook_receivers_id on incoming_webhook_receivers (id);
create index incoming_webhook_receivers_default
  on incoming_webhook_receivers (team_id, inserted_at desc, id desc) where deleted_at is null;
create index incoming_webhook_receivers_name
  on incoming_webhook_receivers (team_id, name, id) where deleted_at is null;

-- What callbacks change of a receiver, beside it: written at most once a second per process.
create table incoming_webhook_receiver_states (
  team_id uuid not null,
  receiver_id uuid not null,
  last_received_at timestamptz(3),
  last_signature_failure_at timestamptz(3),
  consecutive_signature_failures int not null default 0,
  -- Sequence of the events about the receiver itself.
  event_sequence bigint not null default 0,
  primary key (team_id, receiver_id),
  foreign key (team_id, receiver_id) references incoming_webhook_receivers (team_id, id)
) with (fillfactor = 50);

-- Sealed; an older one of a name is taken until expires_at.
create table incoming_webhook_receiver_secrets (
  team_id uuid not null,
  receiver_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  sealed_secret text not null,
  hint text not null,
  expires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, receiver_id) references incoming_webhook_receivers (team_id, id)
);
create index incoming_webhook_receiver_secrets_receiver
  on incoming_webhook_receiver_secrets (team_id, receiver_id);

-- One per event of a callback that was taken, and one per callback that was refused, up to a bound.
-- No foreign keys: the parents are hot, and partitions are dropped whole.
create table inbound_deliveries (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  receiver_id uuid not null,
  receiver_kind text collate "C" not null,
  status text collate "C" not null,
  mode text collate "C",
  signature_status text collate "C" not null,
  is_test boolean not null default false,
  http_status smallint not null,
  event_type text collate "C",
  -- The callback that it came with, where that held several events, and its place there.
  batch_id uuid,
  event_index int,
  provider_event_id text collate "C",
  dedup_key text collate "C",
  duplicate_count int not null default 0,
  do_message_id uuid,
  do_contact_id uuid,
  do_journey_id uuid,
  payload jsonb,
  headers jsonb,
  size_bytes int not null,
  body_sha256 text collate "C",
  attempts int not null default 0,
  next_attempt_at timestamptz(3),
  error jsonb,
  -- What it was found to be about, in the receiver's team.
  message_id uuid,
  message_delivery_id uuid,
  contact_id uuid,
  journey_id uuid,
  engagement_event_id uuid,
  link_error text,
  -- What it has done already: a replay does only the rest.
  effects text[] not null default '{}',
  received_at timestamptz(3) not null,
  processed_at timestamptz(3),
  replay_count int not null default 0,
  primary key (day, id)
) partition by range (day);
create table inbound_deliveries_default partition of inbound_deliveries default;
create index inbound_deliveries_list
  on inbound_deliveries (team_id, receiver_id, received_at desc, id desc);
create index inbound_deliveries_processed
  on inbound_deliveries (team_id, receiver_id, processed_at, id);
create index inbound_deliveries_event_type
  on inbound_deliveries (team_id, receiver_id, event_type, received_at desc, id desc);
-- The values that nearly all rows have are found by the list itself.
create index inbound_deliveries_status
  on inbound_deliveries (team_id, receiver_id, status, received_at desc, id desc)
  where status <> 'processed';
create index inbound_deliveries_signature
  on inbound_deliveries (team_id, receiver_id, signature_status, received_at desc, id desc)
  where signature_status <> 'verified';
create index inbound_deliveries_provider_event
  on inbound_deliveries (team_id, receiver_id, provider_event_id) where provider_event_id is not null;
create index inbound_deliveries_contact
  on inbound_deliveries (team_id, contact_id, received_at desc, id desc) where contact_id is not null;
create index inbound_deliveries_message
  on inbound_deliveries (team_id, message_id, received_at desc, id desc) where message_id is not null;
create index inbound_deliveries_do_message
  on inbound_deliveries (team_id, receiver_id, do_message_id) where do_message_id is not null;
create index inbound_deliveries_do_contact
  on inbound_deliveries (team_id, receiver_id, do_contact_id) where do_contact_id is not null;
create index inbound_deliveries_do_journey
  on inbound_deliveries (team_id, receiver_id, do_journey_id) where do_journey_id is not null;
-- What the workflow of a receiver still has to try again.
create index inbound_deliveries_due
  on inbound_deliveries (receiver_id, next_attempt_at) where next_attempt_at is not null;

-- The bytes of a callback, sealed, by the delivery or the batch that came of it; kept for a week.
create table inbound_raw (
  day date not null,
  id uuid not null,
  team_id uuid not null,
  receiver_id uuid not null,
  sealed_callback text not null,
  primary key (day, id)
) partition by range (day);
create table inbound_raw_default partition of inbound_raw default;

-- The first acceptance of a key and the end of its window; an ended one is taken over in place.
create table inbound_dedup_keys (
  team_id uuid not null,
  receiver_id uuid not null,
  dedup_key text collate "C" not null,
  delivery_id uuid not null,
  day date not null,
  received_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (team_id, receiver_id, dedup_key)
);
create index inbound_dedup_keys_expires_at on inbound_dedup_keys (expires_at);

-- Tokens of proofs that do not cover the body: each proves one event, ever.
create table inbound_tokens (
  team_id uuid not null,
  receiver_id uuid not null,
  token_hash bytea not null,
  -- What it proved.
  content_key text collate "C" not null,
  delivery_id uuid not null,
  day date not null,
  received_at timestamptz(3) not null default now(),
  primary key (team_id, receiver_id, token_hash)
);
create index inbound_tokens_received_at on inbound_tokens using brin (received_at);

-- Refused callbacks by the hour: how many have a row, and how many were only counted.
create table inbound_rejections (
  team_id uuid not null,
  receiver_id uuid not null,
  hour timestamptz(3) not null,
  stored int not null,
  dropped int not null,
  primary key (team_id, receiver_id, hour)
) with (fillfactor = 50);
create index inbound_rejections_hour on inbound_rejections (hour);

-- Soft bounces of an address: three in a fortnight suppress it.
create table inbound_soft_bounces (
  team_id uuid not null,
  address text collate "C" not null,
  delivery_id uuid not null,
  bounced_at timestamptz(3) not null,
  primary key (team_id, address, delivery_id)
);
create index inbound_soft_bounces_bounced_at on inbound_soft_bounces using brin (bounced_at);

-- As before, but the bytes of callbacks may go after a week and a day, too.
create or replace function drop_day_partitions(parent text, before date) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child record;
  dropped int := 0;
  kept int := case parent when 'request_log' then 7 when 'inbound_raw' then 8 else 14 end;
  bound date := least(before, (now() at time zone 'UTC')::date - kept);
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\d{8}$')
  loop
    if to_date(right(child.relname, 8), 'YYYYMMDD') < bound then
      execute format('drop table %I', child.relname);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;
