-- Objectives, and templates with their pages, messages, versions and history.

create table objectives (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  key text not null,
  name text not null,
  description text,
  category text not null,
  value_cents bigint not null default 0,
  attribution_window_days int not null default 30,
  attribution_model text not null default 'any_touch',
  is_repeatable boolean not null default false,
  product_kind text,
  is_standard boolean not null default false,
  is_active boolean not null default true,
  completion_count bigint not null default 0,
  lock_version bigint not null default 1,
  archived_at timestamptz(3),
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
create unique index objectives_key on objectives (team_id, key collate "C")
  where deleted_at is null;
create index objectives_default on objectives (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index objectives_name on objectives (team_id, name collate "C", id)
  where deleted_at is null;

-- A team has a few thousand at most (a quota), so that filters need no index beyond those of the
-- orders.
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
  holdout_percent int,
  send_rate_per_minute int,
  exit_on_objectives boolean not null default true,
  scheduled_at timestamptz(3),
  launched_at timestamptz(3),
  paused_at timestamptz(3),
  expired_at timestamptz(3),
  archived_at timestamptz(3),
  locked_at timestamptz(3),
  deadline_at timestamptz(3),
  -- When the clock changes the status next; the repair of lost timers looks here.
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
create index templates_default on templates (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index templates_updated on templates (team_id, updated_at, id) where deleted_at is null;
create index templates_name on templates (team_id, name collate "C", id) where deleted_at is null;
create index templates_launched on templates (team_id, launched_at, id) where deleted_at is null;
create index templates_deadline on templates (team_id, deadline_at, id) where deleted_at is null;
create index templates_status on templates (team_id, status, inserted_at desc, id desc)
  where deleted_at is null;
create index templates_due on templates (due_at) where due_at is not null and deleted_at is null;

create table template_objectives (
  team_id uuid not null,
  template_id uuid not null,
  objective_id uuid not null,
  position int not null,
  primary key (team_id, template_id, objective_id),
  foreign key (team_id, template_id) references templates (team_id, id),
  foreign key (team_id, objective_id) references objectives (team_id, id)
);
create index template_objectives_objective
  on template_objectives (team_id, objective_id, template_id);

create table pages (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  template_id uuid not null,
  name text not null,
  title text,
  kind text not null,
  position int not null,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, template_id) references templates (team_id, id)
);
create index pages_template on pages (team_id, template_id, position, id)
  where deleted_at is null;

create table messages (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  template_id uuid not null,
  name text not null,
  channel text not null,
  status text not null default 'draft',
  purpose text not null,
  position int not null,
  from_email text,
  list_unsubscribe boolean not null,
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, template_id) references templates (team_id, id)
);
create index messages_template on messages (team_id, template_id, position, id)
  where deleted_at is null;

-- What a launch sent out: the content of a template as it was, by number.
create table template_versions (
  team_id uuid not null,
  template_id uuid not null,
  version int not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  content jsonb not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, template_id, version)
);
comment on table template_versions is 'append-only: journeys keep the version they began with';

create table template_status_changes (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  template_id uuid not null,
  -- lock_version of the template after the change: the order, where stamps are equal.
  sequence bigint not null,
  from_status text,
  to_status text not null,
  action text not null,
  cause text not null check (cause in ('api', 'timer')),
  client_id uuid,
  occurred_at timestamptz(3) not null,
  primary key (team_id, id)
);
comment on table template_status_changes is 'append-only: who or what changed a status, and when';
create unique index template_status_changes_list
  on template_status_changes (team_id, template_id, sequence, id);
