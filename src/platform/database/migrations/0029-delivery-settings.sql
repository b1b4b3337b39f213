-- How deliveries to a subscription are made; without a row, as everywhere. Its version is the
-- subscription's, by which senders know that what they have opened is out of date.

create table webhook_delivery_settings (
  team_id uuid not null,
  subscription_id uuid not null,
  timeout_seconds int,
  -- Further request headers: their names, and all of them with their values as sealed JSON.
  header_names text[] not null default '{}',
  sealed_headers text,
  headers_changed_at timestamptz(3),
  -- A pair for signatures that can be verified without a secret.
  public_key text,
  sealed_private_key text,
  ordering text not null default 'none',
  rate_limit_per_second int,
  max_concurrency int,
  -- When the next one may begin: kept here, the pace is one for lanes and recoveries, and a process
  -- that begins anew goes on with it.
  next_slot_at timestamptz,
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, subscription_id),
  foreign key (team_id, subscription_id) references webhook_subscriptions (team_id, id)
);
