import { Client, Connection } from '@temporalio/client';
import { findFreePort } from '../../../src/local/ports.ts';
import {
  claimWaiting,
  firstCursor,
  findWaitingDays,
} from '../../../src/webhooks/dispatch/lanes/queries.ts';
import { mustComeTrue, pause } from '../../world/moments.ts';
import { megabytesOf } from '../cpu.ts';
import { median } from '../report.ts';
import { contactEvent, putDeliveries } from './deliveries.ts';
import { countDeliveries } from './kills.ts';
import type { Onward } from './onward.ts';
import { measure, tenth } from './rig.ts';
import type { Rig } from './rig.ts';

// Scenarios for Onward only, since they need access to its processes and tables.

/** Percent of a core that all processes of Onward take, over a while. */
async function watch(rig: Rig, product: Onward): Promise<number> {
  const before = product.cpu();
  const startedAt = performance.now();
  await pause(rig.isSmall ? 5_000 : 30_000);
  // A process that ended meanwhile takes with it what its parent does not count.
  const used = Math.max(0, product.cpu() - before);
  return (used / ((performance.now() - startedAt) / 1_000)) * 100;
}

/** S7: a thousand subscriptions and nothing to do. Returns the percent of a core that it takes. */
export async function idle(rig: Rig, product: Onward): Promise<number> {
  const count = tenth(rig, 1_000);
  const targets = Array.from({ length: count }, (_, at) => `${rig.origin}/ok/idle/${at}`);
  const audience = await product.newAudience(targets);
  // Remaining work of the start and of earlier scenarios, such as lanes that have not ended.
  await pause(rig.isSmall ? 15_000 : 60_000);
  const percent = await watch(rig, product);
  const { apis, workers, postgres, temporal } = product.machine;
  const pids = [...apis, ...workers].map(({ pid }) => pid);
  const megabytes = megabytesOf([...pids, postgres.pid, temporal.pid]);
  rig.report.add('webhooks.onward.s7.cpu', { value: percent, unit: '% of a core' });
  rig.report.add('webhooks.onward.s7.memory', { value: megabytes, unit: 'MB, all parts' });
  await audience.close();
  return percent;
}

/** S8: a hundred thousand failed deliveries are replayed; what live ones feel of it. */
export async function recover(rig: Rig, product: Onward): Promise<void> {
  const failed = tenth(rig, 100_000);
  const live = await product.newAudience([`${rig.origin}/ok/live`]);
  const mended = await product.newAudience([`${rig.origin}/ok/mended`]);
  const [team] = mended.teams;
  if (!team) throw new Error('there is no team');
  await put(product, team.id, failed, 'failed');
  const load = { amount: tenth(rig, 1_000), perSecond: 50 };
  const alone = await measure(rig, product, live, load);
  const subscriptions = await team.must('GET', '/v2/partner/webhook-subscriptions');
  const path = `/v2/partner/webhook-subscriptions/${String(subscriptions.data[0].id)}`;
  const startedAt = performance.now();
  const replay = await team.must('POST', `${path}/replay`, {
    filter: { since: new Date(Date.now() - 3_600_000).toISOString(), status: ['failed'] },
    rate_per_second: 10_000,
  });
  const isOver = async () =>
    (await team.must('GET', `${path}/replays/${String(replay.id)}`)).succeeded >= failed;
  // Each look counts all of them.
  const replaying = mustComeTrue('the replay', isOver, 600_000, 1_000).then(() =>
    performance.now(),
  );
  const beside = await measure(rig, product, live, load);
  const seconds = ((await replaying) - startedAt) / 1_000;
  const { report } = rig;
  report.add('webhooks.onward.s8.replayed', { value: failed / seconds, unit: 'deliveries/s' });
  report.add(
    'webhooks.onward.s8.live_p99',
    {
      ...{ value: beside.p99Ms, unit: 'ms accept → sink', limit: alone.p99Ms },
    },
    { of: 'ratio', atMost: 2 },
  );
  await live.close();
  await mended.close();
}

async function put(product: Onward, teamId: string, count: number, status: 'pending' | 'failed') {
  const chunk = 10_000;
  for (let made = 0; made < count; made += chunk) {
    const bodies = Array.from({ length: Math.min(chunk, count - made) }, () =>
      contactEvent(teamId),
    );
    await putDeliveries(product.machine, bodies, status);
  }
}

/** Deliveries that wait for a dead receiver cost one sleeping workflow. */
export async function dead(rig: Rig, product: Onward, idlePercent: number): Promise<void> {
  const { machine } = product;
  const nowhere = `http://127.0.0.1:${await findFreePort()}/`;
  const audience = await product.newAudience([nowhere]);
  const teamId = audience.teams[0]?.id ?? '';
  await put(product, teamId, tenth(rig, 100_000), 'pending');
  const connection = await Connection.connect({ address: machine.temporal.address });
  try {
    const client = new Client({ connection });
    const query = 'WorkflowId STARTS_WITH "webhook-" AND ExecutionStatus = "Running"';
    const running = async () => (await client.workflow.count(query)).count;
    await mustComeTrue('one workflow', async () => (await running()) === 1, 180_000);
    // Waits until the first probes are made and lie minutes apart.
    await pause(rig.isSmall ? 10_000 : 120_000);
    const percent = await watch(rig, product);
    const { report } = rig;
    const open = await countDeliveries(product, teamId, ['pending', 'retrying']);
    report.add('webhooks.onward.dead.waiting', { value: open, unit: 'deliveries' });
    report.add(
      'webhooks.onward.dead.workflows',
      { value: await running(), unit: 'running' },
      { of: 'value', atMost: 1 },
    );
    report.add(
      'webhooks.onward.dead.cpu',
      { value: Math.max(0, percent - idlePercent), unit: '% of a core beyond idle' },
      { of: 'value', atMost: 1 },
    );
  } finally {
    await connection.close();
  }
  await audience.close();
}

const waitingEach = 10;

/** S10: what live deliveries feel of a thousand receivers that are gone, each with a backlog. */
export async function besideDead(rig: Rig, product: Onward): Promise<void> {
  const live = await product.newAudience([`${rig.origin}/ok/live`]);
  const load = { amount: tenth(rig, 2_000), perSecond: 100 };
  const round = async () => {
    await measure(rig, product, live, load);
    const found = await measure(rig, product, live, load);
    return { ...found, claimMs: await timeClaims(product, live.teams[0]?.id ?? '') };
  };
  const alone = await round();
  const nowhere = `http://127.0.0.1:${await findFreePort()}/`;
  const count = tenth(rig, 1_000);
  const gone = await product.newAudience(Array.from({ length: count }, () => nowhere));
  for (const { id } of gone.teams) {
    await put(product, id, (count / gone.teams.length) * waitingEach, 'pending');
  }
  const held = async () => {
    const [row] = await product.machine.database.read(
      (sql) => sql<[{ held: number }]>`
        select count(*)::int as held from webhook_subscription_states where owned_by_recovery`,
    );
    return row.held;
  };
  await mustComeTrue('all have failed', async () => (await held()) >= count, 300_000, 1_000);
  // Probes are made some 30, 90, 210 and 450 s after the failure, each a fifth earlier or later: the
  // third ones from 168 to 252 s, and the fourth ones not before 360 s.
  await pause(rig.isSmall ? 5_000 : 185_000);
  const probing = await round();
  await pause(rig.isSmall ? 5_000 : 35_000);
  const beside = await round();
  rig.note(`webhooks.onward.s10: ${JSON.stringify({ alone, probing, beside })}`);
  const { report } = rig;
  const within = { of: 'ratio', atMost: 1.2 } as const;
  report.add(
    'webhooks.onward.s10.live_p99',
    { value: beside.p99Ms, unit: 'ms accept → sink', limit: alone.p99Ms },
    within,
  );
  report.add(
    'webhooks.onward.s10.live_p99_during_probes',
    { value: probing.p99Ms, unit: 'ms accept → sink', limit: alone.p99Ms },
    within,
  );
  report.add(
    'webhooks.onward.s10.claim',
    { value: beside.claimMs, unit: 'ms', limit: alone.claimMs },
    within,
  );
  await live.close();
  await gone.close();
}

/** Median time of a claim of the shard of a team's subscription, as its lane makes it. */
async function timeClaims({ machine }: Onward, teamId: string): Promise<number> {
  return machine.database.read(async (sql) => {
    const [{ shard }] = await sql<[{ shard: number }]>`
      select shard from webhook_subscriptions where team_id = ${teamId}`;
    const request = {
      ...{ ranges: [{ from: shard, to: shard }], start: firstCursor, limit: 256 },
      ...{ taken: [], allowances: new Map<string, number>(), skipsLimited: false },
      days: await findWaitingDays(sql),
    };
    const times: number[] = [];
    for (let turn = 0; turn < 300; turn += 1) {
      const startedAt = performance.now();
      await claimWaiting(sql, request);
      times.push(performance.now() - startedAt);
    }
    return median(times);
  });
}
