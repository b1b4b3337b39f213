import type { Sql } from '../../../platform/database/sql.ts';

/** An address with its digests, one for each key that may have made one. */
export interface DigestedAddress {
  address: string;
  digest: string;
  keyId: string;
}

/** Keeps the digests of what is suppressed, of addresses or of contacts, before it is erased. */
export async function insertErasedSuppressions(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  addresses: readonly (DigestedAddress & { channel: 'email' | 'sms' })[],
): Promise<void> {
  await sql`
    insert into erased_suppressions (team_id, digest, key_id, channel, reason, source)
    select distinct on (d.digest) ${teamId}::uuid, d.digest, d.key_id, d.channel, s.reason, s.source
    from unnest(${addresses.map(({ address }) => address)}::text[],
      ${addresses.map(({ digest }) => digest)}::text[],
      ${addresses.map(({ keyId }) => keyId)}::text[],
      ${addresses.map(({ channel }) => channel)}::text[]) as d (address, digest, key_id, channel)
    join suppressions s on s.team_id = ${teamId} and s.deleted_at is null
      and (s.channel = d.channel and folded(s.address) = folded(d.address)
        or s.contact_id = any(${[...contactIds]}::uuid[]))
    order by d.digest, s.inserted_at
    on conflict do nothing`;
}

/** Suppresses addresses whose digests are known, and forgets these; returns how many. */
export async function restoreErasedSuppressions(
  sql: Sql,
  teamId: string,
  addresses: readonly DigestedAddress[],
): Promise<number> {
  const rows = await sql`
    with found as (
      delete from erased_suppressions e
      using unnest(${addresses.map(({ address }) => address)}::text[],
        ${addresses.map(({ digest }) => digest)}::text[]) as d (address, digest)
      where e.team_id = ${teamId} and e.digest = d.digest
      returning e.channel, d.address, e.reason, e.source
    )
    insert into suppressions (team_id, channel, address, reason, source)
    select distinct on (channel, folded(address)) ${teamId}::uuid, channel, address, reason, source
    from found
    order by channel, folded(address)
    on conflict do nothing`;
  return rows.count;
}
