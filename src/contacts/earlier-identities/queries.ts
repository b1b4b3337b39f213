import type { Sql } from '../../platform/database/sql.ts';

/** A value by which a contact was known. */
export interface EarlierIdentity {
  contact_id: string;
  kind: 'email' | 'phone' | 'unique_id';
  sealed_value: string;
}

/** An erasure reads so many of a person at most, the latest ones. */
const maxEarlierIdentities = 1_000;

/** One that is known already stays as it is. */
export function insertEarlierIdentities(
  sql: Sql,
  teamId: string,
  rows: readonly (EarlierIdentity & { digest: string })[],
) {
  return sql`
    insert into earlier_identities (team_id, contact_id, kind, digest, sealed_value)
    select ${teamId}, * from unnest(${rows.map((row) => row.contact_id)}::uuid[],
      ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ digest }) => digest)}::text[],
      ${rows.map((row) => row.sealed_value)}::text[])
    on conflict do nothing`;
}

export async function listEarlierIdentities(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<EarlierIdentity[]> {
  return sql<EarlierIdentity[]>`
    select contact_id, kind, sealed_value from earlier_identities
    where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])
    order by inserted_at desc
    limit ${maxEarlierIdentities}`;
}

/** The value that a contact lost first after a time: the one that it had at that time. */
export async function findLostAfter(
  sql: Sql,
  teamId: string,
  { contact_id, kind }: Pick<EarlierIdentity, 'contact_id' | 'kind'>,
  time: string,
): Promise<EarlierIdentity | undefined> {
  const [row] = await sql<EarlierIdentity[]>`
    select contact_id, kind, sealed_value from earlier_identities
    where team_id = ${teamId} and contact_id = ${contact_id} and kind = ${kind}
      and inserted_at >= ${time}
    order by inserted_at limit 1`;
  return row;
}

export async function deleteEarlierIdentities(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  await sql`
    delete from earlier_identities
    where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])`;
}
