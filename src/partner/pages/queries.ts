import type { Static } from 'typebox';
import type { Sql } from '../../database/client.ts';
import { groupRows } from '../../listing/group-rows.ts';
import { includeLimit } from '../../listing/list-endpoint.ts';
import type { ListRow } from '../../listing/list-endpoint.ts';
import type { ListSource } from '../../listing/sql.ts';
import type { Page } from './page.ts';

export interface PageRow extends Omit<Static<typeof Page>, 'title'> {
  title: string | null;
  lock_version: number;
}

export type NewPage = Pick<PageRow, 'name' | 'title' | 'kind'>;

export function templatePageSource(teamId: string, templateId: string): ListSource {
  return {
    from: 'pages t',
    select: `t.*, 'page' as type`,
    where: {
      text: 't.team_id = $1 and t.template_id = $2 and t.deleted_at is null',
      values: [teamId, templateId],
    },
  };
}

/** The pages of a template in their order. */
export async function listTemplatePageRows(
  sql: Sql,
  teamId: string,
  templateId: string,
): Promise<PageRow[]> {
  return sql<PageRow[]>`
    select *, 'page' as type from pages
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null
    order by position, id`;
}

/** Puts a page at a place in the order, or last; the template is locked. */
export async function insertPage(
  sql: Sql,
  teamId: string,
  templateId: string,
  page: NewPage,
  position: number,
): Promise<PageRow> {
  await sql`
    update pages
    set position = position + 1, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null
      and position >= ${position}`;
  const [row] = await sql<[PageRow]>`
    insert into pages ${sql({ team_id: teamId, template_id: templateId, ...page, position })}
    returning *, 'page' as type`;
  return row;
}

/** Gives the pages of a template the order of these ids, which are all there are. */
export async function reorderPages(
  sql: Sql,
  teamId: string,
  templateId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update pages p
    set position = wanted.place - 1, lock_version = lock_version + 1, updated_at = now()
    from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, place)
    where p.team_id = ${teamId} and p.template_id = ${templateId} and p.id = wanted.id
      and p.position <> wanted.place - 1`;
}

/** Copies the pages of one template to another. */
export async function copyPages(sql: Sql, teamId: string, fromId: string, toId: string) {
  await sql`
    insert into pages (team_id, template_id, name, title, kind, position)
    select team_id, ${toId}, name, title, kind, position from pages
    where team_id = ${teamId} and template_id = ${fromId} and deleted_at is null`;
}

/** The first pages of each of these templates, by template. */
export async function loadTemplatePages(
  sql: Sql,
  teamId: string,
  templates: readonly ListRow[],
): Promise<Map<string, object[]>> {
  const rows = await sql<PageRow[]>`
    select * from (
      select *, 'page' as type,
        row_number() over (partition by template_id order by position, id) as place
      from pages
      where team_id = ${teamId} and deleted_at is null
        and template_id = any(${templates.map(({ id }) => id)}::uuid[])
    ) ordered
    where place <= ${includeLimit + 1}
    order by template_id, place`;
  return groupRows(rows, (row) => row.template_id);
}

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
