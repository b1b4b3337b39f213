import type { Team } from '../world/teams.ts';
import { digest } from './ledger.ts';
import type { World } from './world.ts';

/** Records of some teams in the database, to compare with those of clients and receivers. */
export interface Books {
  contacts: readonly { team_id: string; id: string }[];
  events: ReadonlyMap<string, RecordedEvent>;
  /** Deliveries that are not delivered. */
  undelivered: number;
}

interface RecordedEvent {
  team_id: string;
  type: string;
  resource_id: string;
  hash: string;
}

const patient = { deadlineMs: 60_000 };

export async function readBooks({ database }: World, teams: readonly Team[]): Promise<Books> {
  const ids = teams.map(({ id }) => id);
  const contacts = await database.read(
    (sql) => sql<{ team_id: string; id: string }[]>`
      select team_id, id from contacts where team_id = any(${ids}::uuid[])`,
    patient,
  );
  const events = await database.read(
    (sql) => sql<
      { id: string; team_id: string; type: string; resource_id: string; body: string }[]
    >`
      select id, team_id, type, resource_id, body from webhook_events
      where team_id = any(${ids}::uuid[])`,
    patient,
  );
  const hashed = events.map(({ id, body, ...event }) => [id, { ...event, hash: digest(body) }]);
  return {
    contacts,
    events: new Map(hashed.map(([id, event]) => [id, event] as [string, RecordedEvent])),
    undelivered: await countUndelivered(database, ids),
  };
}

export async function countUndelivered(
  database: World['database'],
  teamIds: readonly string[],
): Promise<number> {
  const [row] = await database.read(
    (sql) => sql<{ count: number }[]>`
      select count(*)::int as count from webhook_deliveries
      where team_id = any(${[...teamIds]}::uuid[]) and status <> 'delivered'`,
    patient,
  );
  return row?.count ?? 0;
}

export interface Comparison {
  /** Acknowledged contacts whose event never came. */
  lost: number;
  /** Events that arrived without a record, or at a wrong receiver. */
  invented: number;
  /** Contacts with more or fewer than one event. */
  doubled: number;
  /** Copies whose bytes are not those that were recorded. */
  differing: number;
  /** Copies beyond the first. */
  duplicates: number;
  received: number;
}

/** Compares the responses to clients with the recorded events and the received ones. */
export function compare(
  { ledger }: World,
  books: Books,
  acknowledged: ReadonlyMap<Team, ReadonlySet<string>>,
): Comparison {
  const result = { lost: 0, invented: 0, doubled: 0, differing: 0, duplicates: 0, received: 0 };
  for (const [team, contacts] of acknowledged) {
    const copiesOf = new Map<string, number>();
    for (const entry of ledger.entriesOf(team.id)) {
      const recorded = books.events.get(entry.eventId);
      const isKnown =
        recorded?.team_id === team.id &&
        recorded.resource_id === entry.resourceId &&
        (entry.type !== 'contact.created' || contacts.has(entry.resourceId));
      if (!isKnown) result.invented += 1;
      if (recorded?.hash !== entry.hash) result.differing += 1;
      result.differing += entry.differing;
      result.duplicates += entry.copies - 1;
      result.received += 1;
      if (entry.type === 'contact.created') {
        copiesOf.set(entry.resourceId, (copiesOf.get(entry.resourceId) ?? 0) + 1);
      }
    }
    for (const contact of contacts) {
      if (!copiesOf.has(contact)) result.lost += 1;
    }
    for (const count of copiesOf.values()) if (count > 1) result.doubled += 1;
  }
  return result;
}

/** Launches and expiries of templates in the history, and how late the clock's were, in ms. */
export async function readTransitions(
  { database }: World,
  templateIds: readonly string[],
): Promise<{ template_id: string; action: string; count: number }[]> {
  return database.read(
    (sql) => sql<{ template_id: string; action: string; count: number }[]>`
      select template_id, action, count(*)::int as count from template_status_changes
      where template_id = any(${[...templateIds]}::uuid[]) and action in ('launch', 'expire')
      group by template_id, action`,
    patient,
  );
}

/** The longest that a template was expired after its deadline, in ms. */
export async function maxLateness(
  { database }: World,
  templateIds: readonly string[],
): Promise<number> {
  const [row] = await database.read(
    (sql) => sql<{ late: number }[]>`
      select coalesce(max(extract(epoch from expired_at - deadline_at)) * 1000, 0)::float8 as late
      from templates where id = any(${[...templateIds]}::uuid[])`,
    patient,
  );
  return row?.late ?? 0;
}
