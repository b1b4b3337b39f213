import type { Sql } from './sql.ts';

/** Tables of limited size that are not declared (resources/table.ts). */
type CountedTable =
  'incoming_webhook_receivers' | 'landing_pages' | 'templates' | 'webhook_subscriptions';

/** Counts the rows of a team that are not deleted. */
export function countRows(table: CountedTable) {
  return async (sql: Sql, teamId: string): Promise<number> => {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from ${sql(table)}
      where team_id = ${teamId} and deleted_at is null`;
    return row.count;
  };
}
