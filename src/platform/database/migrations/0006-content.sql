-- Content: blocks, landing pages with what they published, the rest of pages, messages and
-- templates, and what was sent to whom.

-- Content blocks. What refers to them holds their ids in an array, in their order: a page of a
-- thousand blocks is one row, copies and versions take the array along, and an inverted index finds
-- the users of a block. A block that anything refers to is never deleted.
create table content_blocks (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  key text not null,
  kind text not null,
  body jsonb not null,
  localizations jsonb not null default '{}',
  -- Paths of the Liquid variables in body and localizations, sorted.
  variables text[] not null default '{}',
  version int not null default 1,
  archived_at timestamptz(3),
  is_archived boolean not null generated always as (archived_at is not null) stored,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
create unique index content_blocks_key on content_blocks (team_id, key collate "C")
  where deleted_at is null;
create index content_blocks_default on content_blocks (team_id, updated_at desc, id desc)
  where deleted_at is null;
create index content_blocks_inserted on content_blocks (team_id, inserted_at, id)
  where deleted_at is null;
create index content_blocks_name on content_blocks (team_id, name collate "C", id)
  where deleted_at is null;
create index content_blocks_kind on content_blocks (team_id, kind, updated_at desc, id desc)
  where deleted_at is null;

create table landing_pages (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  slug text not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  title text,
  description text,
  locale text,
  theme jsonb not null default '{}',
  seo jsonb not null default '{"noindex": true}',
  content_block_ids uuid[] not null default '{}',
  -- Number of the newest row of landing_page_versions; 0 before the first.
  version int not null default 0,
  published_at timestamptz(3),
  archived_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  check ((status = 'archived') = (archived_at is not null)),
  check (status <> 'published' or (published_at is not null and version > 0))
);
create unique index landing_pages_slug on landing_pages (team_id, slug collate "C")
  where deleted_at is null and status <> 'archived';
create index landing_pages_default on landing_pages (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index landing_pages_name on landing_pages (team_id, name collate "C", id)
  where deleted_at is null;
create index landing_pages_published on landing_pages (team_id, published_at, id)
  where deleted_at is null;
create index landing_pages_status on landing_pages (team_id, status, inserted_at desc, id desc)
  where deleted_at is null;
create index landing_pages_blocks on landing_pages using gin (content_block_ids)
  where deleted_at is null;

-- What a publication put out: all that is needed to show the page, whatever is edited later.
create table landing_page_versions (
  team_id uuid not null,
  landing_page_id uuid not null,
  version int not null,
  -- Title, description, locale, theme, seo, and the blocks in full, in their order.
  content jsonb not null,
  -- The same with the versions of the blocks instead of their contents: tells what has changed.
  fingerprint jsonb not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, landing_page_id, version)
);
comment on table landing_page_versions is 'append-only: what was published, by number';

-- A template has 50 pages and 50 messages at most, so that filters within one need no index.
alter table pages
  add column path text,
  add column objective_id uuid,
  add column content_block_ids uuid[] not null default '{}',
  add column completion_rule text not null default 'viewed',
  add column requires_identity_challenge boolean not null default false,
  add column widget_instance_id uuid,
  add column version int not null default 1,
  add foreign key (team_id, objective_id) references objectives (team_id, id);
create unique index pages_path on pages (team_id, template_id, path collate "C")
  where deleted_at is null;
create index pages_list on pages (team_id, position, id) where deleted_at is null;
create index pages_inserted on pages (team_id, inserted_at, id) where deleted_at is null;
create index pages_updated on pages (team_id, updated_at, id) where deleted_at is null;
create index pages_name on pages (team_id, name collate "C", id) where deleted_at is null;
create index pages_objective on pages (team_id, objective_id, position, id)
  where deleted_at is null and objective_id is not null;
create index pages_blocks on pages using gin (content_block_ids) where deleted_at is null;

alter table messages
  add column trigger jsonb not null default '{"kind": "on_enroll"}',
  add column condition jsonb,
  add column respect_quiet_hours boolean not null default true,
  add column frequency_cap_exempt boolean not null default false,
  add column subject text,
  add column preheader text,
  add column from_name text,
  add column reply_to text,
  add column body_html text,
  add column body_text text,
  add column body text,
  add column sender text,
  add column sms_segments int,
  add column title text,
  add column image_url text,
  add column deep_link text,
  add column data jsonb,
  add column content_block_ids uuid[] not null default '{}',
  add column localizations jsonb not null default '{}',
  add column variants jsonb not null default '[]',
  add column version int not null default 1;
create index messages_list on messages (team_id, position, id) where deleted_at is null;
create index messages_inserted on messages (team_id, inserted_at, id) where deleted_at is null;
create index messages_updated on messages (team_id, updated_at, id) where deleted_at is null;
create index messages_name on messages (team_id, name collate "C", id) where deleted_at is null;
create index messages_channel on messages (team_id, channel, position, id)
  where deleted_at is null;
create index messages_status on messages (team_id, status, position, id) where deleted_at is null;
create index messages_blocks on messages using gin (content_block_ids) where deleted_at is null;

alter table templates
  add column entry text not null default 'manual',
  add column reentry text not null default 'never',
  add column reentry_interval text,
  add column target_cohort_ids uuid[] not null default '{}',
  add column exclusion_cohort_ids uuid[] not null default '{}',
  add column secure_personalization jsonb not null default
    '{"enabled": false, "factors": [], "max_attempts": 5, "lockout_minutes": 15}',
  -- The client that locked it; none where its launch did by the clock.
  add column locked_by uuid;

-- Keeps a partition for each month from the last one to two ahead of every table that is
-- partitioned by "inserted_at". The application may run it although it owns nothing.
create function ensure_delivery_partitions(months_ahead int default 2) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent record;
  month timestamp;
  name text;
  made int := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('ensure_delivery_partitions')) then
    return 0;
  end if;
  for parent in
    select c.relname from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    where c.relnamespace = 'public'::regnamespace
      and pg_get_partkeydef(c.oid) = 'RANGE (inserted_at)'
  loop
    for offset_months in -1..months_ahead loop
      month := date_trunc('month', now() at time zone 'UTC')
        + make_interval(months => offset_months);
      name := parent.relname || '_' || to_char(month, 'YYYYMM');
      if to_regclass(name) is null then
        begin
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            name, parent.relname, month at time zone 'UTC',
            (month + interval '1 month') at time zone 'UTC');
          made := made + 1;
        exception when check_violation then
          -- The default partition already holds rows of that month; they stay there.
          null;
        end;
      end if;
    end loop;
  end loop;
  return made;
end $$;

-- One send of one message to one contact: the largest table but for events. By month, so that old
-- ones go whole and the indexes in use stay small. No foreign keys: the parents are hot. What
-- opens and clicks change has no index, so that counting one stays within its page.
create table message_deliveries (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  message_id uuid not null,
  template_id uuid not null,
  journey_id uuid,
  contact_id uuid not null,
  channel text not null,
  status text not null,
  provider text,
  provider_message_id text,
  to_masked text,
  variant_key text,
  skip_reason text,
  bounce jsonb,
  scheduled_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  first_opened_at timestamptz(3),
  first_clicked_at timestamptz(3),
  failed_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  complained_at timestamptz(3),
  open_count int not null default 0,
  click_count int not null default 0,
  machine_open_count int not null default 0,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id, inserted_at)
) partition by range (inserted_at);
create table message_deliveries_default partition of message_deliveries default;
create index message_deliveries_list on message_deliveries (team_id, inserted_at desc, id desc);
create index message_deliveries_sent on message_deliveries (team_id, sent_at, id);
create index message_deliveries_message
  on message_deliveries (team_id, message_id, inserted_at desc, id desc);
create index message_deliveries_template
  on message_deliveries (team_id, template_id, inserted_at desc, id desc);
create index message_deliveries_contact
  on message_deliveries (team_id, contact_id, inserted_at desc, id desc);
create index message_deliveries_journey
  on message_deliveries (team_id, journey_id, inserted_at desc, id desc)
  where journey_id is not null;
create index message_deliveries_status
  on message_deliveries (team_id, status, inserted_at desc, id desc);
create index message_deliveries_skipped
  on message_deliveries (team_id, skip_reason, inserted_at desc, id desc)
  where skip_reason is not null;
create index message_deliveries_provider
  on message_deliveries (team_id, provider_message_id) where provider_message_id is not null;

-- What became of all deliveries of a message, also of those that are gone. Each is the sum of up
-- to 16 rows: writers of the same message take different ones and do not wait for each other.
create table message_stats (
  team_id uuid not null,
  message_id uuid not null,
  slot int not null,
  queued bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  bounced bigint not null default 0,
  failed bigint not null default 0,
  opened bigint not null default 0,
  opened_machine bigint not null default 0,
  clicked bigint not null default 0,
  unsubscribed bigint not null default 0,
  complained bigint not null default 0,
  skipped bigint not null default 0,
  primary key (team_id, message_id, slot)
) with (fillfactor = 50);

-- What one delivery adds to the stats of its message, by sign: 1 as it is, -1 as it was.
create function message_stats_of(
  sign int, team_id uuid, message_id uuid, status text, sent_at timestamptz,
  delivered_at timestamptz, first_opened_at timestamptz, machine_open_count int,
  first_clicked_at timestamptz, unsubscribed_at timestamptz, complained_at timestamptz
) returns message_stats language sql immutable as $$
  select row(
    team_id, message_id, 0,
    sign * (status in ('queued', 'sent', 'delayed', 'delivered', 'bounced', 'failed'))::int,
    sign * (sent_at is not null or status in ('sent', 'delayed', 'delivered', 'bounced'))::int,
    sign * (delivered_at is not null or status = 'delivered')::int,
    sign * (status = 'bounced')::int,
    sign * (status = 'failed')::int,
    sign * (first_opened_at is not null)::int,
    sign * (machine_open_count > 0)::int,
    sign * (first_clicked_at is not null)::int,
    sign * (unsubscribed_at is not null)::int,
    sign * (complained_at is not null)::int,
    sign * (status = 'skipped')::int
  )::message_stats
$$;

-- Once for a statement, however many rows it writes; messages in one order against deadlocks.
create function count_message_deliveries() returns trigger language plpgsql as $$
declare
  changes message_stats[];
begin
  if tg_op = 'INSERT' then
    select array_agg(message_stats_of(1, n.team_id, n.message_id, n.status, n.sent_at, n.delivered_at,
      n.first_opened_at, n.machine_open_count, n.first_clicked_at, n.unsubscribed_at,
      n.complained_at)) into changes
    from new_rows n;
  else
    select array_agg(c) into changes from (
      select message_stats_of(-1, o.team_id, o.message_id, o.status, o.sent_at, o.delivered_at,
        o.first_opened_at, o.machine_open_count, o.first_clicked_at, o.unsubscribed_at,
        o.complained_at) as c
      from old_rows o
      union all
      select message_stats_of(1, n.team_id, n.message_id, n.status, n.sent_at, n.delivered_at,
        n.first_opened_at, n.machine_open_count, n.first_clicked_at, n.unsubscribed_at,
        n.complained_at)
      from new_rows n
    ) both_rows;
  end if;
  insert into message_stats as s
  select * from (
    select c.team_id, c.message_id, pg_backend_pid() % 16 as slot,
      sum(c.queued) as queued, sum(c.sent), sum(c.delivered), sum(c.bounced), sum(c.failed),
      sum(c.opened), sum(c.opened_machine), sum(c.clicked), sum(c.unsubscribed),
      sum(c.complained), sum(c.skipped)
    from unnest(changes) c
    group by c.team_id, c.message_id
    order by c.team_id, c.message_id
  ) summed (team_id, message_id, slot, queued, sent, delivered, bounced, failed, opened,
    opened_machine, clicked, unsubscribed, complained, skipped)
  where (queued, sent, delivered, bounced, failed, opened, opened_machine, clicked, unsubscribed,
    complained, skipped) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  on conflict (team_id, message_id, slot) do update set
    queued = s.queued + excluded.queued,
    sent = s.sent + excluded.sent,
    delivered = s.delivered + excluded.delivered,
    bounced = s.bounced + excluded.bounced,
    failed = s.failed + excluded.failed,
    opened = s.opened + excluded.opened,
    opened_machine = s.opened_machine + excluded.opened_machine,
    clicked = s.clicked + excluded.clicked,
    unsubscribed = s.unsubscribed + excluded.unsubscribed,
    complained = s.complained + excluded.complained,
    skipped = s.skipped + excluded.skipped;
  return null;
end $$;
create trigger message_deliveries_inserted after insert on message_deliveries
  referencing new table as new_rows
  for each statement execute function count_message_deliveries();
create trigger message_deliveries_updated after update on message_deliveries
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_message_deliveries();

select ensure_delivery_partitions();
