-- Consents, devices and suppressions of contacts; completions of objectives; engagement events.

-- What was recorded of a consent, and what it replaced: the proof stays when the consent changes.
create table contact_consent_changes (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms', 'push')),
  consent jsonb not null,
  previous jsonb not null,
  client_id uuid,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table contact_consent_changes is 'append-only: proof of consents given and taken back';
create index contact_consent_changes_list
  on contact_consent_changes (team_id, contact_id, inserted_at desc, id desc);

create table contact_devices (
  team_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- SHA-256 in hex, as providers report it; the token itself is sealed.
  token_hash text collate "C" not null,
  sealed_token text not null,
  platform text collate "C" not null check (platform in ('ios', 'android', 'web')),
  app_id text collate "C",
  is_active boolean not null default true,
  last_seen_at timestamptz(3) not null default now(),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, contact_id) references contacts (team_id, id)
);
create unique index contact_devices_token on contact_devices (team_id, token_hash)
  where deleted_at is null;
create index contact_devices_list
  on contact_devices (team_id, contact_id, inserted_at desc, id desc) where deleted_at is null;

-- Addresses, or contacts as a whole (channel "all"), that nothing is sent to.
create table suppressions (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  channel text collate "C" not null check (channel in ('email', 'sms', 'all')),
  address text collate "C",
  contact_id uuid,
  reason text collate "C" not null,
  note text,
  source text collate "C" not null,
  -- What the contacts with the address are marked with.
  email_status text collate "C" generated always as (
    case when channel = 'email' then
      case reason when 'hard_bounce' then 'bounced' when 'complaint' then 'complained'
        when 'soft_bounces' then 'soft_bouncing' else 'suppressed' end
    end
  ) stored,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  check ((channel = 'all') = (contact_id is not null)),
  check ((channel = 'all') = (address is null)),
  foreign key (team_id, contact_id) references contacts (team_id, id)
);
create unique index suppressions_address on suppressions (team_id, channel, address)
  where deleted_at is null and address is not null;
create unique index suppressions_contact on suppressions (team_id, contact_id)
  where deleted_at is null and contact_id is not null;
create index suppressions_default on suppressions (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index suppressions_reason on suppressions (team_id, reason, inserted_at desc, id desc)
  where deleted_at is null;
create index suppressions_channel on suppressions (team_id, channel, inserted_at desc, id desc)
  where deleted_at is null;

-- Counted in slots: one row per objective would make its completions queue.
alter table objectives drop column completion_count;
create table objective_completion_counts (
  team_id uuid not null,
  objective_id uuid not null,
  slot smallint not null,
  count bigint not null,
  primary key (team_id, objective_id, slot)
);
create index objectives_product on objectives (team_id, product_kind)
  where product_kind is not null and deleted_at is null;

create table objective_completions (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  objective_id uuid not null,
  contact_id uuid not null,
  completed_at timestamptz(3) not null,
  value_cents bigint not null,
  source text collate "C" not null,
  attribution text collate "C" not null,
  journey_id uuid,
  template_id uuid,
  message_id uuid,
  account_id uuid,
  unique_id text collate "C",
  -- What makes a repeat: empty for an objective that is completed once, else its unique_id or time.
  repeat_key text collate "C" not null,
  voided_at timestamptz(3),
  void_reason text,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, objective_id) references objectives (team_id, id),
  foreign key (team_id, contact_id) references contacts (team_id, id)
);
create unique index objective_completions_repeat
  on objective_completions (team_id, objective_id, contact_id, repeat_key)
  where voided_at is null;
create index objective_completions_default
  on objective_completions (team_id, completed_at desc, id desc);
create index objective_completions_objective
  on objective_completions (team_id, objective_id, completed_at desc, id desc);
create index objective_completions_contact
  on objective_completions (team_id, contact_id, completed_at desc, id desc);
create index objective_completions_template
  on objective_completions (team_id, template_id, completed_at desc, id desc)
  where template_id is not null;
create index objective_completions_source
  on objective_completions (team_id, source, completed_at desc, id desc);
create index objective_completions_attribution
  on objective_completions (team_id, attribution, completed_at desc, id desc);

-- By the month of occurred_at: insights read the months of their window, the newest page of any list
-- is in the newest month that has rows, and retention drops a month at a time.
create table engagement_events (
  team_id uuid not null,
  id uuid not null,
  kind text collate "C" not null,
  channel text collate "C",
  contact_id uuid,
  journey_id uuid,
  template_id uuid,
  message_id uuid,
  message_delivery_id uuid,
  page_id uuid,
  landing_page_id uuid,
  widget_instance_id uuid,
  objective_id uuid,
  account_id uuid,
  receiver_id uuid,
  inbound_delivery_id uuid,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null default now(),
  source text collate "C" not null,
  is_machine boolean not null default false,
  url text,
  user_agent text,
  ip_truncated text,
  properties jsonb,
  value_cents bigint,
  unique_id text collate "C",
  primary key (team_id, id, occurred_at)
) partition by range (occurred_at);
comment on table engagement_events is 'append-only: months leave it whole';
create index engagement_events_default
  on engagement_events (team_id, occurred_at desc, id desc);
create index engagement_events_kind
  on engagement_events (team_id, kind, occurred_at desc, id desc);
create index engagement_events_contact
  on engagement_events (team_id, contact_id, occurred_at desc, id desc)
  where contact_id is not null;
create index engagement_events_template
  on engagement_events (team_id, template_id, occurred_at desc, id desc)
  where template_id is not null;
create index engagement_events_journey
  on engagement_events (team_id, journey_id, occurred_at desc, id desc)
  where journey_id is not null;
create index engagement_events_message
  on engagement_events (team_id, message_id, occurred_at desc, id desc)
  where message_id is not null;
create index engagement_events_page
  on engagement_events (team_id, page_id, occurred_at desc, id desc)
  where page_id is not null;

-- A unique key of the partitioned table would have to hold occurred_at; this one is exact.
create table engagement_event_keys (
  team_id uuid not null,
  kind text collate "C" not null,
  unique_id text collate "C" not null,
  event_id uuid not null,
  occurred_at timestamptz(3) not null,
  primary key (team_id, kind, unique_id)
);
-- For retention; keys come nearly in the order of time, so this costs writes nothing.
create index engagement_event_keys_occurred_at on engagement_event_keys using brin (occurred_at);

-- Keeps a partition for each month, from `months_back` ago to `months_ahead`, of every table that is
-- partitioned by "occurred_at".
create function ensure_month_partitions(months_back int default 1, months_ahead int default 2)
returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  month date;
  name text;
  made int := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('ensure_month_partitions')) then
    return 0;
  end if;
  for parent in
    select c.relname from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    where c.relnamespace = 'public'::regnamespace
      and pg_get_partkeydef(c.oid) = 'RANGE (occurred_at)'
  loop
    for offset_months in -months_back..months_ahead loop
      month := (date_trunc('month', now() at time zone 'UTC')
        + make_interval(months => offset_months))::date;
      name := parent || '_' || to_char(month, 'YYYYMM');
      if to_regclass(name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          name, parent, month::timestamp at time zone 'UTC',
          (month + interval '1 month')::timestamp at time zone 'UTC');
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;

-- Drops the months of one table that lie before a date; returns how many. It keeps thirteen months
-- whatever it is asked, since it runs with the owner's rights.
create function drop_month_partitions(parent text, before date) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child record;
  dropped int := 0;
  bound date := least(before, (now() at time zone 'UTC' - interval '13 months')::date);
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\d{6}$')
  loop
    if (to_date(right(child.relname, 6), 'YYYYMM') + interval '1 month')::date <= bound then
      execute format('drop table %I', child.relname);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;

select ensure_month_partitions(26, 2);
