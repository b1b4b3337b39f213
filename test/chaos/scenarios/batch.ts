import { randomUUID } from 'node:crypto';
import { comesTrue } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { killAtRandom } from '../kills.ts';
import type { Report } from '../report.ts';
import type { World } from '../world.ts';

const path = '/v2/batch/operations';
const patient = { deadlineMs: 300_000 };
/** Items of a batch that is all or nothing. */
const transactionalItems = 500;

interface Batch {
  team: Team;
  at: string;
  /** Prefix of the keys of its items. */
  prefix: string;
  kind: 'partial' | 'lost' | 'whole';
  items: number;
  /** Items that cannot be applied. */
  bad: number;
  /** Highest reported number of processed items. */
  processed: number;
  wentBack: number;
  isOver: boolean;
}

/**
 * Batches of many teams go on while workers, Temporal and Postgres are killed: each item has exactly
 * one result and one effect, what is all or nothing is so, and progress never goes back.
 */
export async function batch(world: World, report: Report): Promise<void> {
  const { isShort, note, victims } = world;
  const random = world.random.fork('batch');
  const [count, items, kills] = isShort ? [4, 1_000, 5] : [20, 5_000, 60];
  const startedAtMs = performance.now();
  const batches: Batch[] = [];
  for (let at = 0; at < count; at += 2) {
    const team = await newTeam(world);
    // One more of each team is all or nothing: good, or with one item that is not.
    const kinds = ['partial', 'partial', at % 4 === 0 ? 'lost' : 'whole'] as const;
    for (const kind of kinds) batches.push(await ask(team, kind, items));
  }

  const watching = comesTrue(() => look(batches), 600_000, 300);
  const plan = { random, note, pauses: { shortestMs: 300, maxMs: isShort ? 1_500 : 5_000 } };
  const all = [...victims.worker, ...victims.temporal, ...victims.postgres];
  await killAtRandom(all, { ...plan, times: kills });
  const hasEnded = await watching;
  const seconds = (performance.now() - startedAtMs) / 1_000;

  // One after the other: all together they would wait for connections longer than a call may.
  const books: Books[] = [];
  for (const one of batches) books.push(await compare(world, one));
  const sum = (of: (book: Books) => number) => books.reduce((total, book) => total + of(book), 0);
  const sent = batches.reduce((total, one) => total + one.items, 0);
  report.exactly(
    'batch.items',
    sum(({ results }) => results),
    sent,
  );
  report.exactly('batch.kills', kills, kills);
  report.exactly('batch.ended', Number(hasEnded), 1);
  report.exactly(
    'batch.wrong_status',
    sum(({ wrongStatus }) => wrongStatus),
    0,
  );
  report.exactly(
    'batch.wrong_counts',
    sum(({ wrongCounts }) => wrongCounts),
    0,
  );
  report.exactly(
    'batch.items_without_effect',
    sum(({ missing }) => missing),
    0,
  );
  report.exactly(
    'batch.effects_without_item',
    sum(({ extra }) => extra),
    0,
  );
  report.exactly(
    'batch.progress_that_went_back',
    sum(({ wentBack }) => wentBack),
    0,
  );
  report.atMost('batch.seconds', seconds, isShort ? 120 : 600);
}

async function ask(team: Team, kind: Batch['kind'], count: number): Promise<Batch> {
  const items = kind === 'partial' ? count : transactionalItems;
  const prefix = randomUUID();
  const bad = kind === 'whole' ? 0 : kind === 'lost' ? 1 : Math.floor(items / 100);
  const body = {
    operation_kind: 'contacts.bulk_upsert',
    items: Array.from({ length: items }, (_, at) => ({
      unique_id: `${prefix} ${String(at)}`,
      // The last ones, so that what is all or nothing fails late.
      ...(at >= items - bad && { email: 'not an address' }),
    })),
    options: { failure_mode: kind === 'partial' ? 'partial_ok' : 'transactional' },
  };
  const { status, body: made } = await team.call('POST', path, body, randomUUID());
  if (status !== 202) throw new Error(`a batch was answered ${String(status)}`);
  const at = `${path}/${String(made.id)}`;
  return { team, at, prefix, kind, items, bad, processed: 0, wentBack: 0, isOver: false };
}

/** Polls all running batches; true when none runs. */
async function look(batches: readonly Batch[]): Promise<boolean> {
  for (const one of batches) {
    if (one.isOver) continue;
    const { status, processed_count, completed_at } = await one.team.must('GET', one.at);
    if (processed_count < one.processed) one.wentBack += 1;
    one.processed = processed_count;
    one.isOver = completed_at !== undefined && status !== 'canceling';
  }
  return batches.every(({ isOver }) => isOver);
}

interface Books {
  results: number;
  wrongStatus: number;
  wrongCounts: number;
  missing: number;
  extra: number;
  wentBack: number;
}

/** Compares the reported figures of a batch with the stored rows. */
async function compare({ database }: World, one: Batch): Promise<Books> {
  const { team, at, prefix, kind, items, bad, wentBack } = one;
  const run = await team.must('GET', at);
  const id = at.slice(path.length + 1);
  const [stored] = await database.read(
    (sql) => sql<[{ results: number; created: number; effects: number; pairs: number }]>`
      select
        (select count(*)::int from operation_items
         where team_id = ${team.id} and run_id = ${id}) as results,
        (select count(*)::int from operation_items
         where team_id = ${team.id} and run_id = ${id} and status = 'created') as created,
        (select count(*)::int from contacts
         where team_id = ${team.id} and unique_id like ${`${prefix} %`}) as effects,
        (select count(distinct c.id)::int from operation_items i
         join contacts c on c.team_id = i.team_id and c.id = i.resource_id
         where i.team_id = ${team.id} and i.run_id = ${id}) as pairs`,
    patient,
  );
  const good = kind === 'lost' ? 0 : items - bad;
  const wanted = { partial: 'succeeded_with_errors', lost: 'failed', whole: 'succeeded' }[kind];
  const counts = [run.processed_count, run.succeeded_count, run.failed_count, stored.created];
  const expected = [items, good, bad, good];
  return {
    results: stored.results,
    wrongStatus: Number(run.status !== wanted),
    wrongCounts: counts.filter((value, place) => value !== expected[place]).length,
    missing: good - stored.pairs,
    extra: stored.effects - good,
    wentBack,
  };
}
