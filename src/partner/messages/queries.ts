import type { Static } from 'typebox';
import type { Sql } from '../../database/client.ts';
import { groupRows } from '../../listing/group-rows.ts';
import { includeLimit } from '../../listing/list-endpoint.ts';
import type { ListRow } from '../../listing/list-endpoint.ts';
import type { ListSource } from '../../listing/sql.ts';
import type { Message } from './message.ts';

export interface MessageRow extends Omit<Static<typeof Message>, 'from_email'> {
  from_email: string | null;
  lock_version: number;
}

export type NewMessage = Pick<
  MessageRow,
  'name' | 'channel' | 'purpose' | 'from_email' | 'list_unsubscribe'
>;

export function templateMessageSource(teamId: string, templateId: string): ListSource {
  return {
    from: 'messages t',
    select: `t.*, 'message' as type`,
    where: {
      text: 't.team_id = $1 and t.template_id = $2 and t.deleted_at is null',
      values: [teamId, templateId],
    },
    defaultHidden: { text: `t.status = 'archived'`, unless: ['status'] },
  };
}

/** The messages of a template in their order. */
export async function listTemplateMessageRows(
  sql: Sql,
  teamId: string,
  templateId: string,
): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select *, 'message' as type from messages
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null
    order by position, id`;
}

/** Puts a message at a place in the order, or last; the template is locked. */
export async function insertMessage(
  sql: Sql,
  teamId: string,
  templateId: string,
  message: NewMessage,
  position: number,
): Promise<MessageRow> {
  await sql`
    update messages
    set position = position + 1, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null
      and position >= ${position}`;
  const [row] = await sql<[MessageRow]>`
    insert into messages ${sql({ team_id: teamId, template_id: templateId, ...message, position })}
    returning *, 'message' as type`;
  return row;
}

/** Gives the messages of a template the order of these ids, which are all there are. */
export async function reorderMessages(
  sql: Sql,
  teamId: string,
  templateId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update messages m
    set position = wanted.place - 1, lock_version = lock_version + 1, updated_at = now()
    from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, place)
    where m.team_id = ${teamId} and m.template_id = ${templateId} and m.id = wanted.id
      and m.position <> wanted.place - 1`;
}

/** What a launch does to the messages of its template. */
export async function activateMessages(
  sql: Sql,
  teamId: string,
  templateId: string,
): Promise<void> {
  await sql`
    update messages
    set status = 'active', lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null
      and status = 'draft'`;
}

/** Copies the messages of one template to another, as drafts. */
export async function copyMessages(sql: Sql, teamId: string, fromId: string, toId: string) {
  await sql`
    insert into messages
      (team_id, template_id, name, channel, purpose, position, from_email, list_unsubscribe)
    select team_id, ${toId}, name, channel, purpose, position, from_email, list_unsubscribe
    from messages
    where team_id = ${teamId} and template_id = ${fromId} and deleted_at is null`;
}

/** The first messages of each of these templates, by template. */
export async function loadTemplateMessages(
  sql: Sql,
  teamId: string,
  templates: readonly ListRow[],
): Promise<Map<string, object[]>> {
  const rows = await sql<MessageRow[]>`
    select * from (
      select *, 'message' as type,
        row_number() over (partition by template_id order by position, id) as place
      from messages
      where team_id = ${teamId} and deleted_at is null
        and template_id = any(${templates.map(({ id }) => id)}::uuid[])
    ) ordered
    where place <= ${includeLimit + 1}
    order by template_id, place`;
  return groupRows(rows, (row) => row.template_id);
}

/** Messages by id, also those that were removed. */
export async function findMessages(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select *, 'message' as type from messages
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
}
