-- Journeys: what becomes of one contact in one template. The rows hold what is due next; a few lanes
-- drain them, so that a million recipients who wait cost no workflow each.

create table journeys (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  template_id uuid not null,
  -- The content that the journey keeps, whatever is edited later.
  template_version int not null,
  contact_id uuid not null,
  -- Which enrollment of the contact in the template it is, from 1.
  seq int not null default 1,
  -- "scheduled" until a lane has begun it, which is when its first steps are known.
  status text collate "C" not null default 'scheduled' check (status in (
    'scheduled', 'active', 'paused', 'completed', 'exited', 'expired', 'canceled', 'failed')),
  exit_reason text collate "C" check (exit_reason in (
    'objectives_completed', 'unsubscribed', 'suppressed', 'left_cohort', 'canceled_by_user',
    'template_archived', 'deadline', 'contact_archived', 'error')),
  enrolled_via text collate "C" not null check (enrolled_via in (
    'api', 'cohort', 'batch', 'sftp', 'ipaas', 'widget', 'manual')),
  cohort_id uuid,
  -- Held back for comparison: it runs as any other, and every message of it is skipped.
  is_holdout boolean not null default false,
  enrolled_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  paused_at timestamptz(3),
  completed_at timestamptz(3),
  -- When it ended in any other way.
  exited_at timestamptz(3),
  deadline_at timestamptz(3),
  current_page_id uuid,
  last_engaged_at timestamptz(3),
  -- Steps whose time is known: {"<message id>": {"due_at": …}}.
  scheduled_steps jsonb not null default '{}',
  -- Messages that were decided, sent or not: none is decided twice.
  decided_message_ids uuid[] not null default '{}',
  -- The earliest of `scheduled_steps`, or when it begins; null where nothing is due by the clock.
  next_due_at timestamptz(3),
  -- Was due while its template was paused; the resume gives it a time again.
  was_due_when_paused boolean not null default false,
  -- Part of the link's secret: a fresh link ends the older ones.
  link_generation int not null default 1,
  shard smallint generated always as (get_byte(uuid_send(id), 15)) stored,
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, template_id) references templates (team_id, id),
  constraint journeys_ended check (
    (status = 'completed') = (completed_at is not null)
    and (status in ('exited', 'expired', 'canceled', 'failed')) = (exited_at is not null)
    and ((status in ('scheduled', 'active')) or next_due_at is null)
    and ((status = 'paused') = (paused_at is not null)))
);
create unique index journeys_open on journeys (team_id, template_id, contact_id)
  where status in ('scheduled', 'active', 'paused');
create unique index journeys_seq on journeys (team_id, template_id, contact_id, seq);
create index journeys_default on journeys (team_id, enrolled_at desc, id desc);
create index journeys_contact on journeys (team_id, contact_id, enrolled_at desc, id desc);
create index journeys_template on journeys (team_id, template_id, enrolled_at desc, id desc);
create index journeys_status on journeys (team_id, status, enrolled_at desc, id desc);
create index journeys_last_engaged on journeys (team_id, last_engaged_at, id);
-- Open ones of a template, for all that is done to them together.
create index journeys_of_template on journeys (team_id, template_id, id)
  where status in ('scheduled', 'active', 'paused');
create index journeys_due on journeys (shard, next_due_at) where next_due_at is not null;

-- How many a template has had and has: each figure is the sum of up to 16 rows, so that writers do
-- not wait for each other.
create table template_journey_counts (
  team_id uuid not null,
  template_id uuid not null,
  slot smallint not null,
  enrolled bigint not null default 0,
  open bigint not null default 0,
  primary key (team_id, template_id, slot)
) with (fillfactor = 50);

create function count_journeys() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into template_journey_counts as c
    select n.team_id, n.template_id, pg_backend_pid() % 16, count(*),
      count(*) filter (where n.status in ('scheduled', 'active', 'paused'))
    from new_rows n group by 1, 2 order by 1, 2
    on conflict (team_id, template_id, slot) do update
    set enrolled = c.enrolled + excluded.enrolled, open = c.open + excluded.open;
  else
    insert into template_journey_counts as c
    select n.team_id, n.template_id, pg_backend_pid() % 16, 0,
      sum((n.status in ('scheduled', 'active', 'paused'))::int
        - (o.status in ('scheduled', 'active', 'paused'))::int) as change
    from new_rows n join old_rows o on o.team_id = n.team_id and o.id = n.id
    group by 1, 2
    having sum((n.status in ('scheduled', 'active', 'paused'))::int
        - (o.status in ('scheduled', 'active', 'paused'))::int) <> 0
    order by 1, 2
    on conflict (team_id, template_id, slot) do update set open = c.open + excluded.open;
  end if;
  return null;
end $$;
create trigger journeys_inserted after insert on journeys
  referencing new table as new_rows
  for each statement execute function count_journeys();
create trigger journeys_updated after update on journeys
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_journeys();
