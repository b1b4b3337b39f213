import { createHash } from 'node:crypto';
import type { Sql } from '../../src/platform/database/sql.ts';
import type { Facts } from './judge.ts';

/** The facts that the judge needs about each contact of a team, read as whole rows. */
export async function readFacts(
  teamId: string,
  look: (work: (sql: Sql) => Promise<readonly any[]>) => Promise<readonly any[]>,
  nowMs: number,
): Promise<Facts[]> {
  const rows = (table: string) =>
    look((sql) => sql.unsafe<any[]>(`select * from ${table} where team_id = $1`, [teamId]));
  const contacts = await rows('contacts');
  const accounts = (await rows('accounts')).filter(({ deleted_at }) => deleted_at === null);
  const completions = await rows('objective_completions');
  const events = await rows('engagement_events');
  const journeys = await rows('journeys');
  const members = await rows('cohort_members');
  const objectiveKeys = new Map<string, string>();
  for (const { id: objective, key } of await rows('objectives')) objectiveKeys.set(key, objective);
  const of = (all: readonly any[], contact: any) =>
    all.filter(({ contact_id }) => contact_id === contact.id).map(dated);
  return contacts.map((contact) => ({
    contact: dated(contact),
    accounts: of(accounts, contact),
    completions: of(completions, contact),
    events: of(events, contact),
    journeys: of(journeys, contact),
    objectiveKeys,
    cohorts: new Set<string>(of(members, contact).map(({ cohort_id }) => cohort_id)),
    nowMs,
    md5: (text) => createHash('md5').update(text).digest('hex'),
  }));
}

/** Times in the format of the judge; voided_at only as a flag. */
function dated(row: any): any {
  const copy = { ...row };
  for (const [name, value] of Object.entries(row)) {
    if (/_at$/.test(name) && typeof value === 'string') copy[name] = new Date(value);
  }
  return copy;
}
