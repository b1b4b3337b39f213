import type { Sql } from '../../platform/database/sql.ts';
import { table } from '../../platform/resources/table.ts';
import { WidgetInstance } from './widget-instance.ts';

export const widgetInstances = table('widget_instances', WidgetInstance, {
  derived: { is_archived: 't.archived_at is not null', token_ttl_seconds: '3600' },
  required: ['name', 'widget_kind'],
  optional: [
    'template_id',
    'allowed_origins',
    'is_active',
    'theme',
    'locale',
    'session_max_days',
    'card_on_file',
    'opt_in',
    'mobile_app',
  ],
  fixed: ['widget_kind'],
  archivedListedBy: ['is_archived'],
});

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
