import { takePort } from '../../support/ports.ts';
import { comesTrue, mustComeTrue, pause } from '../../world/moments.ts';
import { startMember } from '../../world/processes.ts';
import type { Member } from '../../world/processes.ts';
import type { Onward } from './onward.ts';
import { measure, measureArrivals } from './rig.ts';
import type { Rig } from './rig.ts';

// Scenarios that kill the worker.

const kills = 7;
const killEveryMs = 13_000 / kills;

/** S5: the worker is killed with -9 seven times in thirteen seconds under load. */
export async function killed(rig: Rig, product: Onward): Promise<void> {
  const { machine } = product;
  const audience = await product.newAudience([`${rig.origin}/ok/killed`]);
  const perSecond = rig.isSmall ? 50 : 300;
  const measuring = measure(rig, product, audience, { amount: perSecond * 13, perSecond });
  for (let kill = 0; kill < kills; kill += 1) {
    await pause(killEveryMs);
    for (const worker of machine.workers) worker.kill();
  }
  const found = await measuring;
  for (const worker of machine.workers) await worker.back();
  rig.note(`webhooks.onward.s5: ${JSON.stringify(found)}`);
  const open = async () =>
    countDeliveries(product, audience.teams[0]?.id ?? '', ['pending', 'retrying']);
  await comesTrue(async () => (await open()) === 0, 60_000, 250);
  const buried = await countDeliveries(product, audience.teams[0]?.id ?? '', [
    'failed',
    'canceled',
  ]);
  const { report } = rig;
  const none = { of: 'value', atMost: 0 } as const;
  report.add('webhooks.onward.s5.lost', { value: found.lost, unit: 'events' }, none);
  report.add('webhooks.onward.s5.buried', { value: buried, unit: 'deliveries' }, none);
  report.add('webhooks.onward.s5.unsettled', { value: await open(), unit: 'deliveries' }, none);
  const perTenThousand = (found.duplicates / (perSecond * 13)) * 10_000;
  report.add('webhooks.onward.s5.duplicates', { value: perTenThousand, unit: 'per 10,000' });
  report.add(
    'webhooks.onward.s5.behind',
    { value: found.behindMs, unit: 'ms last answer → last arrival' },
    { of: 'value', atMost: 1_500 },
  );
  await audience.close();
}

const restarts = 5;
const restartEveryMs = 8_000;

/**
 * S11: the worker is killed with -9 every eight seconds; how soon the next one delivers. Then the same
 * with a second worker, which takes over.
 */
export async function restarted(rig: Rig, product: Onward): Promise<void> {
  const { machine } = product;
  const [worker] = machine.workers;
  if (!worker) throw new Error('there is no worker');
  const alone = await killInTurn(rig, product, [worker]);
  const { report } = rig;
  const withinSecond = { of: 'value', atMost: 1_000 } as const;
  report.add(
    'webhooks.onward.s11.first_delivery',
    { value: alone.waits, unit: 'ms from the start of the process' },
    withinSecond,
  );
  const port = String(await takePort());
  const other = await startMember({
    ...{ name: 'worker-2', entry: 'src/worker.ts', url: `http://127.0.0.1:${port}` },
    env: { ...machine.environment, METRICS_PORT: port },
    ...{ nodeArguments: [], directory: machine.directory, onNotice: rig.note },
  });
  try {
    const both = await killInTurn(rig, product, [worker, other]);
    report.add(
      'webhooks.onward.s11.takeover',
      { value: both.pauses, unit: 'ms without a delivery' },
      withinSecond,
    );
    report.add(
      'webhooks.onward.s11.lost',
      { value: alone.lost + both.lost, unit: 'events' },
      { of: 'value', atMost: 0 },
    );
  } finally {
    await other.stop();
  }
}

/** Kills one of the workers every eight seconds, at a hundred deliveries a second. */
async function killInTurn(rig: Rig, product: Onward, workers: readonly Member[]) {
  const audience = await product.newAudience([`${rig.origin}/ok/restarted`]);
  const load = { amount: (restarts + 1) * (restartEveryMs / 10), perSecond: 100 };
  const measuring = measureArrivals(rig, product, audience, load);
  const kills: { killedAtMs: number; startedAtMs: number }[] = [];
  for (let turn = 0; turn < restarts; turn += 1) {
    await pause(restartEveryMs);
    const worker = workers[turn % workers.length];
    if (!worker) continue;
    const { startedAtMs: before } = worker;
    const killedAtMs = performance.timeOrigin + performance.now();
    worker.kill();
    await mustComeTrue('the next worker', () => worker.startedAtMs > before, 5_000, 1);
    kills.push({ killedAtMs, startedAtMs: worker.startedAtMs });
  }
  const { arrivals, measured } = await measuring;
  await audience.close();
  const waits = kills.map(({ startedAtMs }) => {
    return (arrivals.find((atMs) => atMs > startedAtMs) ?? Infinity) - startedAtMs;
  });
  const pauses = kills.map(({ killedAtMs }) => {
    const after = arrivals.filter(
      (atMs) => atMs > killedAtMs && atMs < killedAtMs + restartEveryMs,
    );
    return Math.max(...after.map((atMs, at) => atMs - (after[at - 1] ?? killedAtMs)));
  });
  return { waits, pauses, lost: measured.lost };
}

/** Deliveries of a team in any of these states. */
export async function countDeliveries(
  { machine }: Onward,
  teamId: string,
  statuses: readonly string[],
) {
  const [row] = await machine.database.read(
    (sql) => sql<[{ count: number }]>`
      select count(*)::int as count from webhook_deliveries
      where team_id = ${teamId} and status = any(${[...statuses]})`,
    { deadlineMs: 60_000 },
  );
  return row.count;
}
