import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { includeLimit } from '../../platform/lists/list-endpoint.ts';
import type { ListRow } from '../../platform/lists/list-endpoint.ts';
import { table } from '../../platform/resources/table.ts';
import { ContentBlock } from './content-block.ts';
import type { ContentBlockRow, ContentBlockUsage } from './content-block.ts';

/** Rows of a table that refer to the block t and are not deleted. */
const users = (table: string) =>
  `${table} u where u.team_id = t.team_id and u.content_block_ids @> array[t.id]
    and u.deleted_at is null`;

export const contentBlocks = table('content_blocks', ContentBlock, {
  derived: {
    used_by: `jsonb_build_object(
      'pages', (select count(*) from ${users('pages')}),
      'messages', (select count(*) from ${users('messages')}),
      'landing_pages', (select count(*) from ${users('landing_pages')}))`,
    is_archived: 't.is_archived',
    // Only responses to writes have warnings.
    warnings: 'null::jsonb',
  },
  required: ['name', 'key', 'kind', 'body'],
  optional: ['localizations'],
  unique: { field: 'key', index: 'content_blocks_key', code: 'key_taken' },
  archivedListedBy: ['is_archived'],
});

/** Whether a template that sends or will send, or a published landing page, refers to a block. */
export async function isShown(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const [row] = await sql<[{ shown: boolean }]>`
    select exists (
      select from (
        select team_id, template_id from pages
        where team_id = ${teamId} and content_block_ids @> array[${id}::uuid]
          and deleted_at is null
        union all
        select team_id, template_id from messages
        where team_id = ${teamId} and content_block_ids @> array[${id}::uuid]
          and deleted_at is null and status <> 'archived'
      ) steps
      join templates t on t.team_id = ${teamId} and t.id = steps.template_id
      where t.status in ('scheduled', 'launched', 'paused') and t.deleted_at is null
    ) or exists (
      select from landing_pages
      where team_id = ${teamId} and content_block_ids @> array[${id}::uuid]
        and status = 'published' and deleted_at is null
    ) as shown`;
  return row.shown;
}

export async function findUsage(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<Static<typeof ContentBlockUsage>> {
  const refers = sql`content_block_ids @> array[${id}::uuid] and deleted_at is null`;
  type Step = { id: string; name: string; template_id: string };
  const pages = await sql<Step[]>`
    select id, name, template_id from pages
    where team_id = ${teamId} and ${refers} order by name, id limit 100`;
  const messages = await sql<(Step & { status: string })[]>`
    select id, name, template_id, status from messages
    where team_id = ${teamId} and ${refers} order by name, id limit 100`;
  const landing_pages = await sql<{ id: string; name: string; status: string }[]>`
    select id, name, status from landing_pages
    where team_id = ${teamId} and ${refers} order by name, id limit 100`;
  return { pages, messages, landing_pages };
}

/**
 * The ids that are no block of the team. The other blocks cannot be archived or deleted
 * before the transaction ends.
 */
export async function unknownBlocks(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const unknown = new Set(ids);
  if (ids.length === 0) return unknown;
  const rows = await sql<{ id: string }[]>`
    select id from content_blocks
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and deleted_at is null
    order by id
    for share`;
  for (const { id } of rows) unknown.delete(id);
  return unknown;
}

/** The fields of a block that rendering and versions need. */
export type VersionedBlock = Pick<
  ContentBlockRow,
  | 'id'
  | 'key'
  | 'kind'
  | 'name'
  | 'body'
  | 'localizations'
  | 'variables'
  | 'version'
  | 'is_archived'
>;

/** Blocks in the order of these ids. */
export async function findBlocks(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<VersionedBlock[]> {
  if (ids.length === 0) return [];
  return sql<VersionedBlock[]>`
    select b.id, b.key, b.kind, b.name, b.body, b.localizations, b.variables, b.version,
      b.is_archived
    from unnest(${[...ids]}::uuid[]) with ordinality as requested (id, place)
    join content_blocks b on b.team_id = ${teamId} and b.id = requested.id
    order by requested.place`;
}

/** The first blocks of each of these rows, in their order, by row. */
export async function loadBlocks(
  sql: Sql,
  teamId: string,
  rows: readonly ListRow[],
): Promise<Map<string, object[]>> {
  const idsOf = new Map(rows.map((row) => [row.id, idsIn(row).slice(0, includeLimit + 1)]));
  const ids = [...new Set([...idsOf.values()].flat())];
  const blocks = await sql<ContentBlockRow[]>`
    select ${sql.unsafe(contentBlocks.columns)} from content_blocks t
    where t.team_id = ${teamId} and t.id = any(${ids}::uuid[])`;
  const byId = new Map(blocks.map((block) => [block.id, block]));
  return new Map(
    [...idsOf].map(([owner, listed]) => [owner, listed.flatMap((id) => byId.get(id) ?? [])]),
  );
}

function idsIn({ content_block_ids }: ListRow): string[] {
  return Array.isArray(content_block_ids) ? content_block_ids.map(String) : [];
}
