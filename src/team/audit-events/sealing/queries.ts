import type { Keyring } from '../../../platform/auth/keyring.ts';
import { isParked } from '../../../platform/database/parked-rows.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { AuditEventRow } from '../queries.ts';
import { breachOf, chain, chainStart, isLate } from './chain.ts';
import type { Head, Seal } from './chain.ts';

/** Teams with lines that wait for their seal, those that wait longest first. */
export async function listTeamsToSeal(
  sql: Sql,
  limit: number,
  loop: string,
): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select team_id as id from audit_unsealed u
    where not ${isParked(sql, loop, 'u', 'team_id')}
    group by team_id
    order by min(occurred_at)
    limit ${limit} /* any team: each has a chain of its own */`;
}

/**
 * Seals the oldest waiting lines of a team in one transaction; returns them with their seals.
 * Concurrent workers of one team wait for each other.
 */
export async function sealAuditEvents(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  limit: number,
): Promise<{ seal: Seal; event: AuditEventRow }[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audit seals ${teamId}`}, 0))`;
  const events = await sql<AuditEventRow[]>`
    select e.* from (
      select event_id from audit_unsealed
      where team_id = ${teamId}
      order by occurred_at, event_id
      limit ${limit}
    ) waiting
    join audit_events e on e.team_id = ${teamId} and e.id = waiting.event_id
    order by e.occurred_at, e.id`;
  if (events.length === 0) return [];
  const lines = chain(keyring, await findHead(sql, teamId), events, new Date());
  const rows = lines.map(({ seal: { hash, ...seal } }) => ({
    team_id: teamId,
    ...seal,
    hash: Buffer.from(hash),
  }));
  await sql`insert into audit_seals ${sql(rows)} /* team_id is in the rows */`;
  await sql`
    delete from audit_unsealed
    where team_id = ${teamId} and event_id = any(${events.map(({ id }) => id)}::uuid[])`;
  return lines;
}

/** The last line of a team's chain. */
export async function findHead(sql: Sql, teamId: string): Promise<Head> {
  const [head] = await sql<Head[]>`
    select number, hash, key_id from audit_seals
    where team_id = ${teamId}
    order by number desc
    limit 1`;
  return head ?? chainStart;
}

/** The hash of one line of a team's chain, in hexadecimal; line 0 is the start of every chain. */
export async function findSeal(sql: Sql, teamId: string, number: number) {
  if (number === chainStart.number) return Buffer.from(chainStart.hash).toString('hex');
  const [seal] = await sql<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from audit_seals
    where team_id = ${teamId} and number = ${number}`;
  return seal?.hash;
}

/** Every team that has a trail. */
export async function listAuditedTeams(sql: Sql): Promise<string[]> {
  const rows = await sql<{ team_id: string }[]>`
    select distinct team_id from audit_events
    union
    select distinct team_id from audit_seals
    order by team_id`;
  return rows.map(({ team_id }) => team_id);
}

/** A place where a team's trail is not what was written. */
export interface Breach {
  /** Line of the chain; undefined for an event that is in none. */
  number: number | undefined;
  event_id: string;
  problem: string;
}

/** Result of the verification of a chain. */
export interface ChainReport {
  breaches: Breach[];
  /** Lines that were sealed long after their event. */
  late: number;
  /** When the first line with a keyed seal was sealed. */
  keyedSince: string | undefined;
}

/** Follows a team's chain in steps of `step` lines, and names what breaks it. */
export async function verifyChain(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  step: number,
): Promise<ChainReport> {
  const breaches: Breach[] = [];
  let late = 0;
  let keyedSince: string | undefined;
  let before: Head & { event_id?: string } = chainStart;
  for (let isWhole = false; !isWhole;) {
    const rows = await sql<Seal[]>`
      select number, event_id, hash, key_id, inserted_at from audit_seals
      where team_id = ${teamId} and number > ${before.number}
      order by number
      limit ${step}`;
    const events = await sql<AuditEventRow[]>`
      select * from audit_events
      where team_id = ${teamId} and id = any(${rows.map(({ event_id }) => event_id)}::uuid[])`;
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const seal of rows) {
      const { number, event_id } = seal;
      const event = byId.get(event_id);
      const problem = breachOf(keyring, before, seal, event);
      if (problem !== undefined) breaches.push({ number, event_id, problem });
      if (seal.key_id !== null) keyedSince ??= seal.inserted_at;
      if (isLate(seal, event)) late += 1;
      before = seal;
    }
    isWhole = rows.length < step;
  }
  const { number, event_id = '', key_id } = before;
  if (number > 0 && key_id === null) {
    breaches.push({ number, event_id, problem: 'the chain ends without a keyed seal' });
  }
  return { breaches, late, keyedSince };
}

/** Events that are neither sealed nor waiting for it: inserted without the service. */
export async function findStrays(sql: Sql, teamId: string, limit: number): Promise<Breach[]> {
  const rows = await sql<{ id: string }[]>`
    select e.id from audit_events e
    where e.team_id = ${teamId}
      and not exists (
        select from audit_seals s where s.team_id = ${teamId} and s.event_id = e.id
      )
      and not exists (
        select from audit_unsealed u where u.team_id = ${teamId} and u.event_id = e.id
      )
    order by e.occurred_at, e.id
    limit ${limit}`;
  return rows.map(({ id }) => ({
    number: undefined,
    event_id: id,
    problem: 'it is in no chain, and does not wait for one',
  }));
}

/** Number of events that wait for their seal, and of those among them that were removed. */
export async function countUnsealed(sql: Sql, teamId: string) {
  const [row] = await sql<[{ waiting: number; removed: number }]>`
    select count(*)::int as waiting, count(*) filter (where e.id is null)::int as removed
    from audit_unsealed u
    left join audit_events e on e.team_id = ${teamId} and e.id = u.event_id
    where u.team_id = ${teamId}`;
  return row;
}
