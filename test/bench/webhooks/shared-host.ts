import { randomUUID } from 'node:crypto';
import { comesTrue, mustComeTrue, pause } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { contactEvent, putDeliveries } from './deliveries.ts';
import type { Onward, OwnAudience } from './onward.ts';
import { measure, measureLoop, tenth } from './rig.ts';
import type { Measured, Rig } from './rig.ts';

// Receivers of different teams at one origin: those that hang, and those that are far away.

const subscriptions = '/v2/partner/webhook-subscriptions';
const targets = (rig: Rig, way: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${rig.origin}/${way}/${String(at)}`);

interface Neighborhood {
  name: string;
  healthy: number;
  hanging: number;
  /** Events of each team in a second. */
  perSecond: number;
  hangingPerSecond: number;
  amount: number;
}

const neighborhoods: readonly Neighborhood[] = [
  { name: '5_of_50', healthy: 45, hanging: 5, perSecond: 5, hangingPerSecond: 5, amount: 100 },
  { name: '40_of_41', healthy: 1, hanging: 40, perSecond: 50, hangingPerSecond: 2, amount: 1_000 },
];
/** The attempts that hang end by then. */
const timeoutMs = 15_000;

/** S3b: what receivers that answer feel of those of other teams that hang at the same origin. */
export async function sharedHost(rig: Rig, product: Onward, name: string): Promise<void> {
  for (const neighborhood of neighborhoods) {
    const { healthy, hanging } = neighborhood;
    const all = `${name}.${neighborhood.name}_hang`;
    const quiet: Measured[] = [];
    const disturbed: Measured[] = [];
    let failed = 0;
    for (let round = 0; round < (rig.isSmall ? 1 : Math.max(3, rig.rounds)); round += 1) {
      for (const [way, into] of [
        ['mute', quiet],
        ['hang', disturbed],
      ] as const) {
        const well = await product.newAudience(targets(rig, 'ok/well', healthy));
        const others = await product.newAudience(targets(rig, way, hanging));
        const found = await measureBeside(rig, product, well, others, neighborhood);
        rig.note(`${all}, others ${way}: ${JSON.stringify(found)}`);
        into.push(found);
        failed += await countFailed(product, well.teams);
        await Promise.all([well.close(), others.close()]);
        if (way === 'hang') await pause(timeoutMs);
      }
    }
    const p99 = (of: readonly Measured[]) => of.map(({ p99Ms }) => p99Ms);
    rig.report.add(
      `${all}.healthy_p99`,
      { value: p99(disturbed), unit: 'ms accept → sink', limit: p99(quiet) },
      { of: 'ratio', atMost: 1.5 },
    );
    const lost = disturbed.reduce((sum, one) => sum + one.lost, 0);
    const none = { of: 'value', atMost: 0 } as const;
    rig.report.add(`${all}.healthy_failed`, { value: failed + lost, unit: 'deliveries' }, none);
  }
}

/** Measures the events of one audience while another one has its own. */
async function measureBeside(
  rig: Rig,
  product: Onward,
  well: OwnAudience,
  others: OwnAudience,
  { perSecond, hangingPerSecond, amount }: Neighborhood,
): Promise<Measured> {
  const [team] = others.teams;
  let isOver = false;
  const disturbing = (async () => {
    while (!isOver) {
      await team?.must('POST', '/v2/partner/contacts', { unique_id: randomUUID() });
      await pause(1_000 / hangingPerSecond);
    }
  })();
  try {
    const offer = { amount: tenth(rig, amount), perSecond, each: well.reach };
    return await measure(rig, product, well, offer);
  } finally {
    isOver = true;
    await disturbing;
  }
}

async function countFailed({ machine }: Onward, teams: readonly Team[]): Promise<number> {
  const ids = teams.map(({ id }) => id);
  const [row] = await machine.database.read(
    (sql) => sql<[{ count: number }]>`
      select count(*)::int as count from webhook_attempts
      where team_id = any(${ids}::uuid[]) and http_status is distinct from 204`,
  );
  return row.count;
}

const roundTripsMs = [50, 100, 200];
const seconds = 10;
const concurrency = 128;
/** Teams with many subscriptions between them. */
const manyTeams = 8;
const perTeam = 25;

/** S9: deliveries a second to receivers that are far away: one with more concurrency, and many. */
export async function farAway(rig: Rig, product: Onward, name: string): Promise<void> {
  const limit = await measureLoop(rig, tenth(rig, 20_000));
  for (const ms of roundTripsMs) {
    const one = await subscribed(rig, product, ms, 1);
    const many = [];
    for (let at = 0; at < manyTeams; at += 1)
      many.push(await subscribed(rig, product, ms, perTeam));
    const rates = { one: [] as number[], many: [] as number[] };
    for (let round = 0; round <= rig.rounds; round += 1) {
      const ofOne = await drained(rig, product, [one], tenth(rig, 600 * seconds));
      const ofMany = await drained(rig, product, many, tenth(rig, 5_000 * seconds));
      rig.note(`${name} at ${String(ms)} ms: one ${String(ofOne)}, many ${String(ofMany)}`);
      // The first warms up.
      if (round === 0) continue;
      rates.one.push(ofOne);
      rates.many.push(ofMany);
    }
    const unit = 'deliveries/s';
    const at = `${name}.at_${String(ms)}_ms`;
    const aims = ms === 100 ? { one: 600, many: 5_000 } : undefined;
    const aim = (atLeast: number | undefined) =>
      atLeast === undefined ? undefined : { of: 'value' as const, atLeast };
    rig.report.add(`${at}.one`, { value: rates.one, unit, limit }, aim(aims?.one));
    rig.report.add(`${at}.many`, { value: rates.many, unit, limit }, aim(aims?.many));
  }
}

async function subscribed({ origin }: Rig, { machine }: Onward, ms: number, count: number) {
  const team = await newTeam(machine);
  for (let at = 0; at < count; at += 1) {
    const target_url = `${origin}/after/${String(ms)}/${String(at)}`;
    const { id } = await team.must('POST', subscriptions, {
      ...{ target_url, event_types: ['contact.created'] },
    });
    if (count > 1) continue;
    const path = `${subscriptions}/${String(id)}/delivery-settings`;
    await team.must('PATCH', path, { max_concurrency: concurrency });
  }
  return team;
}

/** Stores deliveries that are due, waits until the worker has sent them, and returns their rate per second. */
async function drained(rig: Rig, { machine }: Onward, teams: readonly Team[], amount: number) {
  const { sink } = rig;
  await sink.ask({ ask: 'reset' });
  const bodies = teams.flatMap(({ id }) =>
    Array.from({ length: amount / teams.length }, () => contactEvent(id)),
  );
  const startedAtMs = await putDeliveries(machine, bodies, 'pending');
  const isThere = async () => (await sink.ask({ ask: 'count' })).requests >= amount;
  if (!(await comesTrue(isThere, 120_000, 20))) throw new Error('deliveries did not arrive');
  const { lastAtMs } = await sink.ask({ ask: 'count' });
  const ids = teams.map(({ id }) => id);
  const isSettled = async () => {
    const [row] = await machine.database.read(
      (sql) => sql<[{ count: number }]>`
        select count(*)::int as count from webhook_deliveries
        where team_id = any(${ids}::uuid[]) and status = 'pending'`,
    );
    return row.count === 0;
  };
  await mustComeTrue('the last outcome', isSettled, 60_000, 100);
  return amount / ((lastAtMs - startedAtMs) / 1_000);
}
