import { Type } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { table } from '../../platform/resources/table.ts';
import type { RowIn } from '../../platform/resources/table.ts';
import { OneOf } from '../../platform/schema/fields.ts';
import { Suppression } from './suppression.ts';

export const suppressions = table('suppressions', Suppression, {
  hidden: {
    // E-mail status that contacts with the address get.
    email_status: Type.Optional(OneOf(['bounced', 'complained', 'soft_bouncing', 'suppressed'])),
  },
});
export type SuppressionRow = RowIn<typeof suppressions>;

export type NewSuppression = Pick<
  SuppressionRow,
  'channel' | 'address' | 'contact_id' | 'reason' | 'note' | 'source'
>;

/** Locks the suppression of an e-mail address by soft bounces, if reports of a provider caused it. */
export async function lockSoftBounces(
  sql: Sql,
  teamId: string,
  address: string,
): Promise<SuppressionRow | undefined> {
  const [row] = await sql<SuppressionRow[]>`
    select ${sql.unsafe(suppressions.columns)} from suppressions t
    where team_id = ${teamId} and channel = 'email' and folded(address) = folded(${address})
      and reason = 'soft_bounces' and source = 'inbound' and deleted_at is null
    for update`;
  return row;
}

/** An e-mail address that is suppressed by soft bounces. */
export interface SoftBounced {
  team_id: string;
  id: string;
  address: string;
}

/** Addresses that are suppressed by soft bounces for longer than a number of days. */
export async function listExpiredSoftBounces(
  sql: Sql,
  days: number,
  limit: number,
): Promise<SoftBounced[]> {
  return sql<SoftBounced[]>`
    select team_id, id, address from suppressions
    where reason = 'soft_bounces' and source = 'inbound' and deleted_at is null
      and inserted_at < now() - make_interval(days => ${days})
    order by inserted_at limit ${limit} /* any team: maintenance */`;
}

/** Undefined where the address or the contact is suppressed already. */
export async function insertSuppression(
  sql: Sql,
  teamId: string,
  suppression: NewSuppression,
): Promise<SuppressionRow | undefined> {
  const [row] = await sql<SuppressionRow[]>`
    with t as (
      insert into suppressions ${sql({ team_id: teamId, ...suppression })}
      on conflict do nothing
      returning *
    )
    select ${sql.unsafe(suppressions.columns)} from t`;
  return row;
}

/** The suppression of an address or of a contact. */
export async function findSuppression(
  sql: Sql,
  teamId: string,
  { channel, address, contact_id }: Pick<NewSuppression, 'channel' | 'address' | 'contact_id'>,
): Promise<SuppressionRow | undefined> {
  const isIt =
    address === null ? sql`contact_id = ${contact_id}` : sql`folded(address) = folded(${address})`;
  const [row] = await sql<SuppressionRow[]>`
    select ${sql.unsafe(suppressions.columns)} from suppressions t
    where team_id = ${teamId} and channel = ${channel} and deleted_at is null and ${isIt}`;
  return row;
}

/** Whether an address is suppressed, or was when its owner was erased. */
export async function findAddressSuppression(
  sql: Sql,
  teamId: string,
  { channel, address, digests }: { channel: 'email' | 'sms'; address: string; digests: string[] },
): Promise<boolean> {
  const rows = await sql`
    select 1 from suppressions
    where team_id = ${teamId} and channel = ${channel} and folded(address) = folded(${address})
      and deleted_at is null
    union all
    select 1 from erased_suppressions
    where team_id = ${teamId} and channel = ${channel} and digest = any(${digests}::text[])
    limit 1`;
  return rows.length > 0;
}
