-- Templates with their pages, messages, versions and history; content blocks and landing pages.

-- A quota allows a few thousand templates for each team, so filters need no indexes beyond those of
-- the orders.
create table templates (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  use_case text,
  description text,
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'launched', 'paused', 'archived', 'expired')),
  is_archived boolean not null generated always as (status = 'archived') stored,
  is_locked boolean not null generated always as (locked_at is not null) stored,
  template_version int not null default 0,
  entry text not null default 'manual',
  reentry text not null default 'never',
  reentry_interval text,
  target_cohort_ids uuid[] not null default '{}',
  exclusion_cohort_ids uuid[] not null default '{}',
  holdout_percent int,
  send_rate_per_minute int,
  exit_on_objectives boolean not null default true,
  -- Ends the journeys of contacts that leave the cohort from which they were enrolled.
  exit_on_leaving_cohort boolean not null default false,
  secure_personalization jsonb not null default
    '{"enabled": false, "factors": [], "max_attempts": 5, "lockout_minutes": 15}',
  scheduled_at timestamptz(3),
  launched_at timestamptz(3),
  paused_at timestamptz(3),
  expired_at timestamptz(3),
  archived_at timestamptz(3),
  locked_at timestamptz(3),
  -- The client that locked it; null where a scheduled launch locked it.
  locked_by uuid,
  deadline_at timestamptz(3),
  -- When the clock changes the status next; the reconciler of lost timers looks here.
  due_at timestamptz(3) generated always as (
    case
      when status = 'scheduled' then least(scheduled_at, deadline_at)
      when status in ('launched', 'paused') then deadline_at
    end
  ) stored,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  check ((status = 'scheduled') = (scheduled_at is not null)),
  check ((status = 'paused') = (paused_at is not null)),
  check ((status = 'archived') = (archived_at is not null)),
  check (status <> 'launched' or (launched_at is not null and locked_at is not null))
);
comment on table templates is 'Templates of journeys, with status, schedule and enrollment rules.';
-- The default order of the list.
create index templates_default on templates (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by last change.
create index templates_updated on templates (team_id, updated_at, id) where deleted_at is null;
-- The list by name.
create index templates_name on templates (team_id, name collate "C", id) where deleted_at is null;
-- The list by launch.
create index templates_launched on templates (team_id, launched_at, id) where deleted_at is null;
-- The list by deadline.
create index templates_deadline on templates (team_id, deadline_at, id) where deleted_at is null;
-- The filter by status.
create index templates_status on templates (team_id, status, inserted_at desc, id desc)
  where deleted_at is null;
-- Templates whose status the clock has to change.
create index templates_due on templates (due_at) where due_at is not null and deleted_at is null;
-- Templates that enroll on arrival in a cohort, which the trigger record_arrivals looks for.
create index templates_on_arrival on templates (team_id, id)
  where entry = 'on_cohort_entry' and status in ('launched', 'paused') and deleted_at is null;

create table template_objectives (
  team_id uuid not null,
  template_id uuid not null,
  objective_id uuid not null,
  position int not null,
  primary key (team_id, template_id, objective_id),
  -- The template is one of the same team.
  foreign key (team_id, template_id) references templates (team_id, id),
  -- The objective is one of the same team.
  foreign key (team_id, objective_id) references objectives (team_id, id)
);
comment on table template_objectives is 'Objectives of a template, in their order.';
-- The templates of an objective.
create index template_objectives_objective
  on template_objectives (team_id, objective_id, template_id);

-- The content of a template at a launch, by number. The generated columns hold what journeys need of
-- it, so that they do not read its texts.
create table template_versions (
  team_id uuid not null,
  template_id uuid not null,
  version int not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  content jsonb not null,
  objective_ids uuid[] not null
    generated always as (ids_in(content -> 'objective_ids')) stored,
  exit_on_objectives boolean not null
    generated always as (coalesce((content ->> 'exit_on_objectives')::boolean, true)) stored,
  exit_on_leaving_cohort boolean not null
    generated always as (coalesce((content ->> 'exit_on_leaving_cohort')::boolean, false)) stored,
  page_count int not null
    generated always as (coalesce(jsonb_array_length(content -> 'pages'), 0)) stored,
  awaiting jsonb not null
    generated always as (awaiting_in(content -> 'messages')) stored,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, template_id, version)
);
comment on table template_versions is 'append-only: the content of a template at each launch, which its journeys use.';

create table template_status_changes (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  template_id uuid not null,
  -- lock_version of the template after the change: the order where timestamps are equal.
  sequence bigint not null,
  from_status text,
  to_status text not null,
  action text not null,
  cause text not null check (cause in ('api', 'timer', 'operator')),
  client_id uuid,
  occurred_at timestamptz(3) not null,
  primary key (team_id, id)
);
comment on table template_status_changes is 'append-only: status changes of templates, with their cause.';
-- The changes of a template in their order; a change is recorded once.
create unique index template_status_changes_list
  on template_status_changes (team_id, template_id, sequence, id);

-- Rows that use content blocks store their ids in an array, in their order: a page with a thousand
-- blocks is one row, copies and versions include the array, and a GIN index finds the users of a
-- block. A block in use is never deleted.
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
comment on table content_blocks is 'Reusable parts of pages and messages.';
-- A key belongs to one block of a team.
create unique index content_blocks_key on content_blocks (team_id, key collate "C")
  where deleted_at is null;
-- The default order of the list.
create index content_blocks_default on content_blocks (team_id, updated_at desc, id desc)
  where deleted_at is null;
-- The list by age.
create index content_blocks_inserted on content_blocks (team_id, inserted_at, id)
  where deleted_at is null;
-- The list by name.
create index content_blocks_name on content_blocks (team_id, name collate "C", id)
  where deleted_at is null;
-- The filter by kind.
create index content_blocks_kind on content_blocks (team_id, kind, updated_at desc, id desc)
  where deleted_at is null;

-- A template has at most 50 pages and 50 messages, so filters within one need no index.
create table pages (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  template_id uuid not null,
  name text not null,
  title text,
  kind text not null,
  path text,
  position int not null,
  objective_id uuid,
  content_block_ids uuid[] not null default '{}',
  completion_rule text not null default 'viewed',
  requires_identity_challenge boolean not null default false,
  widget_instance_id uuid,
  version int not null default 1,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A page belongs to a template of the same team.
  foreign key (team_id, template_id) references templates (team_id, id),
  -- The objective is one of the same team.
  foreign key (team_id, objective_id) references objectives (team_id, id)
);
comment on table pages is 'Pages of a template.';
-- The pages of a template in their order.
create index pages_template on pages (team_id, template_id, position, id)
  where deleted_at is null;
-- A path belongs to one page of a template.
create unique index pages_path on pages (team_id, template_id, path collate "C")
  where deleted_at is null;
-- The list of a team by position.
create index pages_list on pages (team_id, position, id) where deleted_at is null;
-- The list by age.
create index pages_inserted on pages (team_id, inserted_at, id) where deleted_at is null;
-- The list by last change.
create index pages_updated on pages (team_id, updated_at, id) where deleted_at is null;
-- The list by name.
create index pages_name on pages (team_id, name collate "C", id) where deleted_at is null;
-- The filter by objective.
create index pages_objective on pages (team_id, objective_id, position, id)
  where deleted_at is null and objective_id is not null;
-- The pages that use a block.
create index pages_blocks on pages using gin (content_block_ids) where deleted_at is null;

create table messages (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  template_id uuid not null,
  name text not null,
  channel text not null,
  status text not null default 'draft',
  purpose text not null,
  -- The topic of a marketing message, which its recipients choose.
  topic_id uuid,
  position int not null,
  trigger jsonb not null default '{"kind": "on_enroll"}',
  condition jsonb,
  respect_quiet_hours boolean not null default true,
  frequency_cap_exempt boolean not null default false,
  -- Email.
  from_name text,
  from_email text,
  reply_to text,
  subject text,
  preheader text,
  body_html text,
  body_text text,
  list_unsubscribe boolean not null,
  -- SMS, and the text of a push notification.
  body text,
  sender text,
  sms_segments int,
  -- Push notifications.
  title text,
  image_url text,
  deep_link text,
  data jsonb,
  -- The JSON Schema of the data of its requested sends.
  data_schema jsonb,
  content_block_ids uuid[] not null default '{}',
  localizations jsonb not null default '{}',
  variants jsonb not null default '[]',
  version int not null default 1,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  -- A message belongs to a template of the same team.
  foreign key (team_id, template_id) references templates (team_id, id),
  -- The topic of a message is one of the same team.
  constraint messages_topic foreign key (team_id, topic_id) references topics (team_id, id)
);
comment on table messages is 'Messages of a template, with their content and trigger.';
-- The messages of a template in their order.
create index messages_template on messages (team_id, template_id, position, id)
  where deleted_at is null;
-- The list of a team by position.
create index messages_list on messages (team_id, position, id) where deleted_at is null;
-- The list by age.
create index messages_inserted on messages (team_id, inserted_at, id) where deleted_at is null;
-- The list by last change.
create index messages_updated on messages (team_id, updated_at, id) where deleted_at is null;
-- The list by name.
create index messages_name on messages (team_id, name collate "C", id) where deleted_at is null;
-- The filter by channel.
create index messages_channel on messages (team_id, channel, position, id)
  where deleted_at is null;
-- The filter by status.
create index messages_status on messages (team_id, status, position, id) where deleted_at is null;
-- The messages that use a block.
create index messages_blocks on messages using gin (content_block_ids) where deleted_at is null;
-- The messages of a topic, which cannot be deleted while it has some.
create index messages_of_topic on messages (team_id, topic_id, position, id)
  where topic_id is not null and deleted_at is null;

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
comment on table landing_pages is 'Landing pages of a team, with their draft content.';
-- A slug belongs to one landing page of a team that is not archived.
create unique index landing_pages_slug on landing_pages (team_id, slug collate "C")
  where deleted_at is null and status <> 'archived';
-- The default order of the list.
create index landing_pages_default on landing_pages (team_id, inserted_at desc, id desc)
  where deleted_at is null;
-- The list by name.
create index landing_pages_name on landing_pages (team_id, name collate "C", id)
  where deleted_at is null;
-- The list by publication.
create index landing_pages_published on landing_pages (team_id, published_at, id)
  where deleted_at is null;
-- The filter by status.
create index landing_pages_status on landing_pages (team_id, status, inserted_at desc, id desc)
  where deleted_at is null;
-- The landing pages that use a block.
create index landing_pages_blocks on landing_pages using gin (content_block_ids)
  where deleted_at is null;
-- The list by last change.
create index landing_pages_updated on landing_pages (team_id, updated_at, id)
  where deleted_at is null;

-- A publication: everything that is needed to show the page; later edits do not change it.
create table landing_page_versions (
  team_id uuid not null,
  landing_page_id uuid not null,
  version int not null,
  -- Title, description, locale, theme, seo, and the blocks in full, in their order.
  content jsonb not null,
  -- The same with the versions of the blocks instead of their contents, to detect changes.
  fingerprint jsonb not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, landing_page_id, version)
);
comment on table landing_page_versions is 'append-only: the published content of landing pages, by version.';
