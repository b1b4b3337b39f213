import { randomBytes } from 'node:crypto';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { WidgetContent } from './rules.ts';

export interface WidgetInstanceRow extends WidgetContent {
  id: string;
  type: 'widget_instance';
  team_id: string;
  is_archived: boolean;
  publishable_key: string;
  token_ttl_seconds: number;
  last_bootstrapped_at: string | null;
  bootstrap_count: number;
  archived_at: string | null;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

const shown = `t.*, 'widget_instance' as type, t.archived_at is not null as is_archived,
  3600 as token_ttl_seconds`;

export function widgetInstanceSource(teamId: string): ListSource {
  return {
    from: 'widget_instances t',
    select: shown,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
    defaultHidden: { text: 't.archived_at is not null', unless: ['is_archived'] },
  };
}

export async function findWidgetInstance(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<WidgetInstanceRow[]>`
    select ${sql.unsafe(shown)} from widget_instances t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row;
}

/**
 * The theme of a page that no widget opened: of the first open widget that has one, of the template
 * before others.
 */
export async function findThemeOfTeam(
  sql: Sql,
  teamId: string,
  templateId: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await sql<{ theme: Record<string, unknown> }[]>`
    select theme from widget_instances
    where team_id = ${teamId} and is_active and archived_at is null and deleted_at is null
      and theme is not null
    order by template_id is distinct from ${templateId}, inserted_at, id limit 1`;
  return row?.theme;
}

/** Throws 404. */
export async function requireWidgetInstance(sql: Sql, teamId: string, id: string) {
  return (await findWidgetInstance(sql, teamId, id)) ?? notFound();
}

/** Locks the widget until the end of the transaction. Throws 404. */
export async function lockWidgetInstance(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<WidgetInstanceRow[]>`
    select ${sql.unsafe(shown)} from widget_instances t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update`;
  return row ?? notFound();
}

export async function insertWidgetInstance(
  sql: Sql,
  teamId: string,
  content: WidgetContent,
): Promise<WidgetInstanceRow> {
  const publishable_key = `wpk_${randomBytes(24).toString('base64url')}`;
  const row = { team_id: teamId, publishable_key, ...columnsOf(sql, content) };
  const [made] = await sql<[WidgetInstanceRow]>`
    with t as (
      insert into widget_instances ${sql(row)}
      returning *
    )
    select ${sql.unsafe(shown)} from t /* team_id is in the row */`;
  return made;
}

export async function updateWidgetInstanceRow(
  sql: Sql,
  { team_id, id }: WidgetInstanceRow,
  content: WidgetContent,
): Promise<WidgetInstanceRow> {
  const [row] = await sql<[WidgetInstanceRow]>`
    update widget_instances t
    set ${sql(columnsOf(sql, content))}, lock_version = lock_version + 1, updated_at = now()
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(shown)}`;
  return row;
}

export async function stampWidgetInstance(
  sql: Sql,
  { team_id, id }: WidgetInstanceRow,
  stamps: { archived_at: string | null } | { deleted_at: string },
): Promise<WidgetInstanceRow> {
  const [row] = await sql<[WidgetInstanceRow]>`
    update widget_instances t
    set ${sql(stamps)}, lock_version = lock_version + 1, updated_at = now()
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(shown)}`;
  return row;
}

function columnsOf(sql: Sql, content: WidgetContent) {
  const { theme, card_on_file, opt_in, mobile_app } = content;
  return {
    name: content.name,
    widget_kind: content.widget_kind,
    template_id: content.template_id,
    allowed_origins: content.allowed_origins,
    is_active: content.is_active,
    locale: content.locale,
    session_max_days: content.session_max_days,
    theme: theme && sql.json(theme),
    card_on_file: card_on_file && sql.json(card_on_file),
    opt_in: opt_in && sql.json(opt_in),
    mobile_app: mobile_app && sql.json(mobile_app),
  };
}

function notFound(): never {
  throw fail('not_found', {
    detail: 'No such widget instance.',
    meta: { resource: 'widget_instance' },
  });
}
