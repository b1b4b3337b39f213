-- How many deliveries to a subscription are made at once, and in a second.

alter table webhook_delivery_settings
  add column rate_limit_per_second int,
  add column max_concurrency int,
  -- When the next one may begin: kept here, the pace is one for lanes and recoveries, and a process
  -- that begins anew goes on with it.
  add column next_slot_at timestamptz;
