import type { Database } from '../../platform/database/client.ts';
import { calendarOf } from './calendar.ts';
import { planOf } from './campaigns.ts';
import { seedJourneys } from './journeys/queries.ts';
import { seedPlan } from './plan/queries.ts';
import { analyzeSeeded, seedContacts } from './queries.ts';

const contactBatch = 20_000;
const journeyBatch = 1_000;
const call = { deadlineMs: 600_000 };
const hourMs = 3_600_000;
/** Average number of events of a journey, counted over a year. */
const eventsPerJourney = 14;
/** Chunks under way: they are of different journeys, and write no row together. */
const maxConcurrentChunks = 2;

/** Fills a team with contacts and accounts; reports the progress after each chunk. */
export async function fillTeam(
  database: Database,
  teamId: string,
  contacts: number,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let done = 0; done < contacts;) {
    const count = Math.min(contactBatch, contacts - done);
    const first = done + 1;
    await database.transact((sql) => seedContacts(sql, teamId, first, count), call);
    done += count;
    onProgress(done);
  }
  await database.read((sql) => analyzeSeeded(sql, ['contacts', 'accounts']), call);
}

export interface Year {
  /** About how many are to be written. */
  events: number;
  /** That the team has been filled with. */
  contacts: number;
  /** The same number draws the same year. */
  seed: number;
  /** When the year ends; the full hour before it. */
  nowMs: number;
}

/**
 * Fills a team that has contacts with a year of campaigns. Reports the share and the number of
 * events after each chunk. Plain statements write the rows: no events are published.
 */
export async function fillYear(
  database: Database,
  teamId: string,
  { events, contacts, seed, nowMs }: Year,
  onProgress: (share: number, events: number) => void,
): Promise<void> {
  const plan = planOf(teamId, seed);
  const calendar = calendarOf(Math.floor(nowMs / hourMs) * hourMs, plan.templates);
  await database.transact((sql) => seedPlan(sql, teamId, plan, calendar.startMs), call);
  const journeys = Math.ceil(events / eventsPerJourney);
  const year = { teamId, seed, plan, calendar, journeys, contacts };
  let [next, done, written] = [1, 0, 0];
  const fill = async () => {
    while (next <= journeys) {
      const first = next;
      const count = Math.min(journeyBatch, journeys - first + 1);
      next += count;
      const events = await database.transact((sql) => seedJourneys(sql, year, first, count), call);
      written += events;
      done += count;
      onProgress(done / journeys, written);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentChunks }, fill));
  const tables = [
    'contacts',
    'accounts',
    'journeys',
    'message_deliveries',
    'engagement_events',
    'objective_completions',
    'cohort_members',
    'templates',
    'messages',
    'pages',
  ];
  for (const table of tables) await database.read((sql) => analyzeSeeded(sql, [table]), call);
}
