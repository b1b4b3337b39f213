import type { Sql } from '../../../platform/database/sql.ts';
import { daysOfYear } from '../calendar.ts';
import type { Plan } from '../campaigns.ts';

const day = (startMs: number, at: number) => new Date(startMs + at * 86_400_000).toISOString();

/** Writes what a team has made in its year: campaigns as they stand at its end, and what they use. */
export async function seedPlan(
  sql: Sql,
  teamId: string,
  { templates, landingPages, widgets, cohort }: Plan,
  startMs: number,
): Promise<void> {
  // Months before the last one have no partition of their own where the service is new.
  await sql`select ensure_month_partitions(13, 2)`;
  await sql`
    update objectives set value_cents = 1500 + length(key) * 250
    where team_id = ${teamId} and is_standard and value_cents = 0`;
  const rows = templates.map(({ id, name, fromDay, toDay }, at) => {
    const isOver = toDay < daysOfYear;
    const status = !isOver ? 'launched' : at % 2 === 0 ? 'archived' : 'expired';
    const launchedAt = day(startMs, fromDay);
    const endedAt = day(startMs, toDay);
    return {
      id,
      name,
      status,
      launched_at: launchedAt,
      locked_at: launchedAt,
      archived_at: status === 'archived' ? endedAt : null,
      expired_at: status === 'expired' ? endedAt : null,
      inserted_at: day(startMs, fromDay - 5),
      updated_at: isOver ? endedAt : launchedAt,
      template_version: 1,
      lock_version: isOver ? 3 : 2,
      holdout_percent: 5,
    };
  });
  await sql`
    insert into templates (team_id, id, name, status, launched_at, locked_at, archived_at,
      expired_at, inserted_at, updated_at, template_version, lock_version, holdout_percent)
    select ${teamId}, id, name, status, launched_at, locked_at, archived_at, expired_at,
      inserted_at, updated_at, template_version, lock_version, holdout_percent
    from jsonb_populate_recordset(null::templates, ${JSON.stringify(rows)}::text::jsonb)
    on conflict do nothing`;
  await sql`
    insert into template_status_changes (
      team_id, id, template_id, sequence, from_status, to_status, action, cause, occurred_at)
    select ${teamId}, overlay(overlay(md5(t.id::text || c.sequence)
        placing '4' from 13) placing '8' from 17)::uuid, t.id, c.sequence, c.from_status,
      c.to_status, c.action, c.cause, c.at
    from templates t
    cross join lateral (values
      (1, null, 'draft', 'create', 'api', t.inserted_at),
      (2, 'draft', 'launched', 'launch', 'api', t.launched_at),
      (3, 'launched', 'archived', 'archive', 'api', t.archived_at),
      (3, 'launched', 'expired', 'expire', 'timer', t.expired_at)
    ) as c (sequence, from_status, to_status, action, cause, at)
    where t.team_id = ${teamId} and t.id = any(${templates.map(({ id }) => id)}::uuid[])
      and c.at is not null
    on conflict do nothing`;
  const aims = templates.flatMap(({ id, objectiveKeys }) =>
    objectiveKeys.map((key, position) => ({ template_id: id, key, position })),
  );
  await sql`
    insert into template_objectives (team_id, template_id, objective_id, position)
    select ${teamId}, a.template_id, o.id, a.position
    from jsonb_to_recordset(${JSON.stringify(aims)}::text::jsonb)
      as a (template_id uuid, key text, position int)
    join objectives o on o.team_id = ${teamId} and o.key = a.key and o.deleted_at is null
    on conflict do nothing`;
  const pages = templates.flatMap(({ id, pages: own }) =>
    own.map((page) => ({ ...page, template_id: id })),
  );
  await sql`
    insert into pages (
      team_id, id, template_id, name, kind, position, path, completion_rule, objective_id)
    select ${teamId}, p.id, p.template_id, p.name, 'step', p.position, p.path, p.completion_rule,
      o.id
    from jsonb_to_recordset(${JSON.stringify(pages)}::text::jsonb) as p (id uuid,
      template_id uuid, name text, position int, path text, completion_rule text, objective text)
    left join objectives o on o.team_id = ${teamId} and o.key = p.objective
      and o.deleted_at is null
    on conflict do nothing`;
  const messages = templates.flatMap(({ id, messages: own }) =>
    own.map((message) => ({ ...message, template_id: id })),
  );
  await sql`
    insert into messages (team_id, id, template_id, name, channel, status, purpose, position,
      list_unsubscribe, subject, body, title, body_text)
    select ${teamId}, m.id, m.template_id, m.name, m.channel, 'active', 'servicing', m.position,
      false, case when m.channel = 'email' then m.name end,
      case when m.channel <> 'email' then m.name end,
      case when m.channel = 'push' then m.name end,
      case when m.channel = 'email' then m.name end
    from jsonb_to_recordset(${JSON.stringify(messages)}::text::jsonb)
      as m (id uuid, template_id uuid, name text, channel text, position int)
    on conflict do nothing`;
  await sql`
    insert into template_versions (team_id, template_id, version, name, content)
    select ${teamId}, t.id, 1, t.name, jsonb_build_object(
      'holdout_percent', t.holdout_percent, 'exit_on_objectives', true, 'entry', t.entry,
      'reentry', t.reentry, 'target_cohort_ids', '[]'::jsonb,
      'exclusion_cohort_ids', '[]'::jsonb, 'secure_personalization', t.secure_personalization,
      'objective_ids', (
        select coalesce(jsonb_agg(o.objective_id order by o.position), '[]')
        from template_objectives o where o.team_id = ${teamId} and o.template_id = t.id),
      'pages', (
        select jsonb_agg(to_jsonb(p) order by p.position) from pages p
        where p.team_id = ${teamId} and p.template_id = t.id),
      'messages', (
        select jsonb_agg(to_jsonb(m) order by m.position) from messages m
        where m.team_id = ${teamId} and m.template_id = t.id),
      'content_blocks', '[]'::jsonb)
    from templates t
    where t.team_id = ${teamId} and t.id = any(${templates.map(({ id }) => id)}::uuid[])
    on conflict do nothing`;
  await sql`
    insert into landing_pages (team_id, id, name, slug)
    select ${teamId}, l.id, l.name, l.slug
    from jsonb_to_recordset(${JSON.stringify(landingPages)}::text::jsonb)
      as l (id uuid, name text, slug text)
    on conflict do nothing`;
  await sql`
    insert into widget_instances (team_id, id, name, widget_kind, allowed_origins, is_active,
      publishable_key, session_max_days)
    select ${teamId}, w.id, w.name, w.widget_kind, '{}', true, 'wpk_' || w.id, 90
    from jsonb_to_recordset(${JSON.stringify(widgets)}::text::jsonb)
      as w (id uuid, name text, widget_kind text)
    on conflict do nothing`;
  await sql`
    insert into cohorts (
      team_id, id, name, kind, evaluation_mode, evaluation_status, member_count, last_evaluated_at)
    select ${teamId}, ${cohort.id}, ${cohort.name}, 'static', 'on_demand', 'ready', count(*), now()
    from contacts where team_id = ${teamId} and unique_id ~ '^seed-[0-9]*[036]$'
    on conflict do nothing`;
  await sql`
    insert into cohort_members (team_id, cohort_id, contact_id, joined_at)
    select team_id, ${cohort.id}, id, ${day(startMs, 0)} from contacts
    where team_id = ${teamId} and unique_id ~ '^seed-[0-9]*[036]$'
    on conflict do nothing`;
}
