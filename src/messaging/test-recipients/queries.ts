import { deleteChunk } from '../../platform/database/delete-chunk.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { TestRecipientRow } from './test-recipient.ts';

export type NewTestRecipient = Pick<TestRecipientRow, 'id' | 'channel' | 'name' | 'to_masked'> & {
  sealed_address: string;
  digest: string;
  confirmation_id: string;
};

export function testRecipientSource(teamId: string): ListSource {
  return {
    from: 'test_recipients t',
    select: `t.*, 'test_recipient' as type`,
    where: { text: 't.team_id = $1', values: [teamId] },
  };
}

/** Throws 404. */
export async function requireTestRecipient(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<TestRecipientRow> {
  const [row] = await sql<TestRecipientRow[]>`
    select *, 'test_recipient' as type from test_recipients
    where team_id = ${teamId} and id = ${id}`;
  if (!row) throw notFound('test_recipient');
  return row;
}

/** Locks the recipient until the end of the transaction. Throws 404. */
export async function lockTestRecipient(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<TestRecipientRow> {
  const [row] = await sql<TestRecipientRow[]>`
    select *, 'test_recipient' as type from test_recipients
    where team_id = ${teamId} and id = ${id}
    for update`;
  if (!row) throw notFound('test_recipient');
  return row;
}

/** The recipient with an address; its row is locked. */
export async function findByDigest(
  sql: Sql,
  teamId: string,
  digests: readonly string[],
): Promise<TestRecipientRow | undefined> {
  const [row] = await sql<TestRecipientRow[]>`
    select *, 'test_recipient' as type from test_recipients
    where team_id = ${teamId} and digest = any(${[...digests]}::text[])
    for update`;
  return row;
}

/** Exact while the team is locked. */
export async function countTestRecipients(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from test_recipients where team_id = ${teamId}`;
  return row.count;
}

export async function insertTestRecipient(
  sql: Sql,
  teamId: string,
  { id, channel, name, to_masked, sealed_address, digest, confirmation_id }: NewTestRecipient,
): Promise<TestRecipientRow> {
  const [row] = await sql<[TestRecipientRow]>`
    insert into test_recipients (team_id, id, channel, name, to_masked, sealed_address, digest,
      confirmation_id, link_expires_at)
    values (${teamId}, ${id}, ${channel}, ${name}, ${to_masked}, ${sealed_address}, ${digest},
      ${confirmation_id}, now() + interval '7 days')
    returning *, 'test_recipient' as type`;
  return row;
}

/** The link of a pending recipient holds for another 7 days, and is sent by another message. */
export async function renewLink(
  sql: Sql,
  teamId: string,
  id: string,
  confirmationId: string,
): Promise<TestRecipientRow> {
  const [row] = await sql<[TestRecipientRow]>`
    update test_recipients
    set confirmation_id = ${confirmationId}, link_expires_at = now() + interval '7 days',
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}
    returning *, 'test_recipient' as type`;
  return row;
}

export async function deleteTestRecipientRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`delete from test_recipients where team_id = ${teamId} and id = ${id}`;
}

/** Deletes recipients that were not confirmed in time, a chunk of them. */
export async function pruneTestRecipients(sql: Sql, limit: number): Promise<number> {
  const where = sql`status = 'pending' and link_expires_at < now()`;
  const key = 'team_id, id';
  return deleteChunk(sql, { table: 'test_recipients', key, where, limit, skipsLocked: true });
}
