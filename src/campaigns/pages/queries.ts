import type { Sql } from '../../platform/database/sql.ts';
import type { PageRow } from './page.ts';

/** Pages by id, also those that were removed. */
export async function findPages(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<PageRow[]> {
  return sql<PageRow[]>`
    select *, 'page' as type from pages
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
}
