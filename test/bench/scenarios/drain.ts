import { startChild } from '../child.ts';
import { pause } from '../../world/moments.ts';
import type { Report } from '../report.ts';
import { cpuBetween } from '../stand.ts';
import type { Stand } from '../stand.ts';
import { contactEvent, putDeliveries } from '../webhooks/deliveries.ts';

const waiting = 20_000;
const underWay = 64;

/** Waiting deliveries, sent and recorded, compared with a loop that only signs and sends. */
export async function drain(stand: Stand, report: Report): Promise<void> {
  const { sink, sinkUrl, rounds, note } = stand;
  const loop = startChild('test/bench/peers/signed-loop.ts');
  const variants = [
    { name: 'drain.20_subscriptions', team: await stand.newSubscribedTeam(20), of: 20 },
    { name: 'drain.1_subscription', team: await stand.newSubscribedTeam(1), of: 1 },
  ];
  try {
    for (const { name, team } of variants) {
      const ours: number[] = [];
      const limits: number[] = [];
      const cpu: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const bodies = Array.from({ length: waiting }, () => contactEvent(team.id));
        await sink.ask({ ask: 'reset' });
        const limit: number = await loop.ask({ url: sinkUrl, bodies, underWay });
        await sink.ask({ ask: 'reset' });
        const before = stand.cpu();
        const startedAtMs = await putDeliveries(stand.machine, bodies, 'pending');
        if (!(await stand.sinkHas(waiting, 120_000))) throw new Error(`${name} did not drain`);
        const { lastAtMs } = await sink.ask({ ask: 'count' });
        const perSecond = waiting / ((lastAtMs - startedAtMs) / 1_000);
        await untilSettled(stand, team.id);
        note(
          `${name} round ${String(round)}: ${String(perSecond)} beside ${String(limit)} ${JSON.stringify(cpuBetween(before, stand.cpu()))}`,
        );
        if (round === 0) continue;
        ours.push(perSecond);
        limits.push(limit);
        cpu.push(cpuBetween(before, stand.cpu()).all / (waiting / 1_000));
      }
      const unit = 'deliveries/s';
      report.add(name, { value: ours, unit, limit: limits });
      report.add(`${name}.rate`, { value: ours, unit }, { of: 'value', atLeast: 10_000 });
      report.add(
        `${name}.cpu`,
        { value: cpu, unit: 'CPU-s per 1,000' },
        { of: 'value', atMost: 0.16 },
      );
    }
  } finally {
    loop.stop();
  }
}

async function untilSettled({ machine }: Stand, teamId: string): Promise<void> {
  for (;;) {
    const [row] = await machine.database.read(
      (sql) => sql<[{ open: number }]>`
        select count(*)::int as open from webhook_deliveries
        where team_id = ${teamId} and status = 'pending'`,
    );
    if (row.open === 0) return;
    await pause(20);
  }
}
