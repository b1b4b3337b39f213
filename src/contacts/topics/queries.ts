import type { Sql } from '../../platform/database/sql.ts';
import { table } from '../../platform/resources/table.ts';
import { Topic } from './topic.ts';
import type { TopicRow } from './topic.ts';

export const topics = table('topics', Topic, {
  derived: { is_archived: 't.archived_at is not null' },
  required: ['name'],
  optional: ['description', 'position', 'default_consent', 'localizations'],
  fixed: ['default_consent'],
  unique: { field: 'name', index: 'topics_name', code: 'key_taken' },
  archivedListedBy: ['is_archived'],
});

/** The topics of a team in their order, the archived ones as well. */
export async function listTopicsOf(sql: Sql, teamId: string): Promise<TopicRow[]> {
  return sql<TopicRow[]>`
    select ${sql.unsafe(topics.columns)} from topics t
    where t.team_id = ${teamId} and t.deleted_at is null
    order by t.position, t.id`;
}

/** Those of the ids that are topics of the team, the archived ones as well. */
export async function findTopicIds(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from topics
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and deleted_at is null`;
  return new Set(rows.map(({ id }) => id));
}

/** Whether messages may name a topic, which cannot be deleted until the end of the transaction. */
export async function holdTopic(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from topics
    where team_id = ${teamId} and id = ${id} and archived_at is null and deleted_at is null
    for key share`;
  return rows.length > 0;
}

/** The position behind all topics of the team. */
export async function findLastPosition(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ position: number }]>`
    select least(coalesce(max(position) + 1, 0), 10000) as position from topics
    where team_id = ${teamId} and deleted_at is null`;
  return row.position;
}

/** A message that names the topic; exact while the topic is locked. */
export async function findMessageOf(
  sql: Sql,
  teamId: string,
  topicId: string,
): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from messages
    where team_id = ${teamId} and topic_id = ${topicId} and deleted_at is null
    limit 1`;
  return row;
}
