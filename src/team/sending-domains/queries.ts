import { Type } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { table } from '../../platform/resources/table.ts';
import type { RowIn } from '../../platform/resources/table.ts';
import { Timestamp } from '../../platform/schema/fields.ts';
import type { Published, RecordStatuses } from './rules.ts';
import { SendingDomain } from './sending-domain.ts';

/** A domain as it is stored; its records are made from it. */
export const sendingDomains = table(
  'sending_domains',
  Type.Omit(SendingDomain, ['dns_records', 'is_signed']),
  {
    hidden: {
      challenge: Type.String(),
      dkim_selector: Type.String(),
      dkim_public_key: Type.String(),
      record_statuses: Type.Unsafe<RecordStatuses>(Type.Object({})),
      checks_alike: Type.Integer(),
      seen_at: Type.Optional(Timestamp()),
    },
  },
);
export type SendingDomainRow = RowIn<typeof sendingDomains>;

/** Seal context of the private key of a domain. */
export function dkimKeySealContext(teamId: string, id: string): string[] {
  return ['sending_domains', 'dkim_key', teamId, id];
}

/** Locked until the end of the transaction; undefined where it does not exist. */
export async function lockExistingDomain(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<SendingDomainRow | undefined> {
  const [row] = await sql<SendingDomainRow[]>`
    select ${sql.unsafe(sendingDomains.columns)} from sending_domains t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update`;
  return row;
}

export async function findByDomain(
  sql: Sql,
  teamId: string,
  domain: string,
): Promise<SendingDomainRow | undefined> {
  const [row] = await sql<SendingDomainRow[]>`
    select ${sql.unsafe(sendingDomains.columns)} from sending_domains t
    where t.team_id = ${teamId} and t.domain = ${domain} and t.deleted_at is null`;
  return row;
}

export async function insertSendingDomain(
  sql: Sql,
  domain: Published & { team_id: string; id: string; sealed_dkim_key: string },
): Promise<SendingDomainRow> {
  await sql`
    insert into sending_domains ${sql({ ...domain })} /* team_id is of the domain */`;
  return sendingDomains.require(sql, domain.team_id, domain.id);
}

/** Makes the next check due. */
export async function requestCheck(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update sending_domains set next_check_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** Outcome of a check of the records. */
interface DomainCheck {
  status: SendingDomainRow['status'];
  record_statuses: RecordStatuses;
  checks_alike: number;
  seen_at: string | null;
  verified_at: string | null;
  failed_at: string | null;
  last_checked_at: string;
  next_check_at: string;
}

/** `isNews`: whether clients see more than another time of the check. */
export async function writeCheck(
  sql: Sql,
  { team_id, id }: Pick<SendingDomainRow, 'team_id' | 'id'>,
  { record_statuses, ...check }: DomainCheck,
  isNews: boolean,
): Promise<SendingDomainRow> {
  await sql`
    update sending_domains
    set ${sql({ ...check })}, record_statuses = ${JSON.stringify(record_statuses)}::text::jsonb,
      lock_version = lock_version + ${isNews ? 1 : 0},
      updated_at = case when ${isNews} then now() else updated_at end
    where team_id = ${team_id} and id = ${id}`;
  return sendingDomains.require(sql, team_id, id);
}

/** Its private key is forgotten. */
export async function deleteSendingDomainRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update sending_domains
    set deleted_at = now(), sealed_dkim_key = null, lock_version = lock_version + 1,
      updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** A domain from which messages may be sent. The key is null where they are not signed. */
export interface VerifiedDomain {
  team_id: string;
  id: string;
  domain: string;
  dkim_selector: string;
  sealed_dkim_key: string | null;
}

export async function listVerifiedDomains(
  sql: Sql,
  teamIds: readonly string[],
): Promise<VerifiedDomain[]> {
  if (teamIds.length === 0) return [];
  return sql<VerifiedDomain[]>`
    select d.team_id, d.id, d.domain, d.dkim_selector,
      case when d.record_statuses ->> 'dkim' = 'found' then d.sealed_dkim_key end as sealed_dkim_key
    from unnest(${[...teamIds]}::uuid[]) as requested (team_id)
    join sending_domains d on d.team_id = requested.team_id and d.status = 'verified'
      and d.deleted_at is null`;
}

/** Domains of which a check is overdue. */
export async function listOverdueDomains(
  sql: Sql,
  overdueMs: number,
  limit: number,
): Promise<{ id: string; team_id: string }[]> {
  return sql<{ id: string; team_id: string }[]>`
    select id, team_id from sending_domains
    where next_check_at < now() - make_interval(secs => ${overdueMs / 1_000})
      and deleted_at is null
    order by next_check_at limit ${limit} /* any team: the relay serves all */`;
}
