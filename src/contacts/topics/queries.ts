import type { Sql } from '../../platform/database/sql.ts';
import { withJson } from '../../platform/database/json-columns.ts';
import { unlessConflict } from '../../platform/database/on-conflict.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { TopicRow } from './topic.ts';

/** The fields of a topic that a client writes. */
type TopicContent = Pick<
  TopicRow,
  'name' | 'description' | 'position' | 'default_consent' | 'localizations'
>;

/** The resource, from a row of topics with the alias t. */
const shown = `t.*, 'topic' as type, t.archived_at is not null as is_archived`;

export function topicSource(teamId: string): ListSource {
  return {
    from: 'topics t',
    select: shown,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
    defaultHidden: { text: 't.archived_at is not null', unless: ['is_archived'] },
  };
}

/** Throws 404. */
export async function requireTopic(sql: Sql, teamId: string, id: string): Promise<TopicRow> {
  const [row] = await sql<TopicRow[]>`
    select ${sql.unsafe(shown)} from topics t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row ?? notFound();
}

/** Locks the topic until the end of the transaction. Throws 404. */
export async function lockTopic(sql: Sql, teamId: string, id: string): Promise<TopicRow> {
  const [row] = await sql<TopicRow[]>`
    select ${sql.unsafe(shown)} from topics t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update of t`;
  return row ?? notFound();
}

/** The topics of a team in their order, the archived ones as well. */
export async function listTopicsOf(sql: Sql, teamId: string): Promise<TopicRow[]> {
  return sql<TopicRow[]>`
    select ${sql.unsafe(shown)} from topics t
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

/** Throws 409 where another topic of the team has the name. */
export async function insertTopic(
  sql: Sql,
  teamId: string,
  topic: TopicContent,
): Promise<TopicRow> {
  const row = withJson(sql, { team_id: teamId, ...topic }, ['localizations']);
  const made = await unlessConflict(
    sql,
    'topics_name',
    () => sql<[TopicRow]>`
      with t as (insert into topics ${sql(row)} returning * /* team_id is in the row */)
      select ${sql.unsafe(shown)} from t`,
  );
  return made ? made[0] : nameTaken(sql, teamId, topic.name);
}

/** Throws 409 as above. */
export async function updateTopicRow(
  sql: Sql,
  teamId: string,
  id: string,
  topic: TopicContent,
): Promise<TopicRow> {
  const columns = withJson(sql, topic, ['localizations']);
  const done = await unlessConflict(
    sql,
    'topics_name',
    () => sql<[TopicRow]>`
      update topics t
      set ${sql(columns, 'name', 'description', 'position', 'default_consent', 'localizations')},
        lock_version = t.lock_version + 1, updated_at = now()
      where t.team_id = ${teamId} and t.id = ${id}
      returning ${sql.unsafe(shown)}`,
  );
  return done ? done[0] : nameTaken(sql, teamId, topic.name);
}

export async function stampTopic(
  sql: Sql,
  teamId: string,
  id: string,
  stamps: { archived_at: string | null } | { deleted_at: string },
): Promise<TopicRow> {
  const [row] = await sql<[TopicRow]>`
    update topics t
    set ${sql(stamps)}, lock_version = t.lock_version + 1, updated_at = now()
    where t.team_id = ${teamId} and t.id = ${id}
    returning ${sql.unsafe(shown)}`;
  return row;
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

async function nameTaken(sql: Sql, teamId: string, name: string): Promise<never> {
  const [holder] = await sql<{ id: string }[]>`
    select id from topics
    where team_id = ${teamId} and name = ${name} and deleted_at is null`;
  throw fail('key_taken', {
    detail: 'Another topic of the team has this name.',
    meta: { pointer: '/name', ...holder },
  });
}

function notFound(): never {
  throw fail('not_found', { detail: 'No such topic.', meta: { resource: 'topic' } });
}
