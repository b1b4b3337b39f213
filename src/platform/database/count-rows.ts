import type { Sql } from './sql.ts';

/** Tables of which a team may have a limited number of rows. */
type CountedTable =
  | 'cohorts'
  | 'content_blocks'
  | 'custom_event_types'
  | 'file_sources'
  | 'incoming_webhook_receivers'
  | 'landing_pages'
  | 'objectives'
  | 'sending_domains'
  | 'sending_providers'
  | 'templates'
  | 'topics'
  | 'users'
  | 'webhook_subscriptions'
  | 'widget_instances';

/** Counts the rows of a team that are not deleted. */
export function countRows(table: CountedTable) {
  return async (sql: Sql, teamId: string): Promise<number> => {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from ${sql(table)}
      where team_id = ${teamId} and deleted_at is null`;
    return row.count;
  };
}
