import { openMachine } from '../../world/machine.ts';
import { startChild } from '../child.ts';
import { cpuSecondsOf } from '../cpu.ts';
import type { Report } from '../report.ts';
import { newSubscribedTeam } from '../stand.ts';
import type { Stand } from '../stand.ts';
import { contactEvent, putDeliveries } from '../webhooks/deliveries.ts';

const waiting = 20_000;
const steps = ['post', 'sign', 'attempt', 'store', 'drain'];

/**
 * Each step of a drain to twenty subscriptions, in a process without Temporal and in turn with the
 * other steps: its rate, and the CPU seconds of the process and of Postgres.
 */
export async function drainSteps(
  { sink, sinkUrl, rounds, note }: Stand,
  report: Report,
): Promise<void> {
  const machine = await openMachine({
    ...{ name: 'bench-steps', apis: 1, workers: 0, onNotice: note },
    settings: { LOG_LEVEL: 'error' },
  });
  const child = startChild('test/bench/peers/drain-steps.ts', machine.environment);
  const measured = new Map(
    steps.map((step) => [
      step,
      { rate: [] as number[], own: [] as number[], postgres: [] as number[] },
    ]),
  );
  try {
    const team = await newSubscribedTeam(machine, 20, sinkUrl);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [step, figures] of measured) {
        await machine.database.transact(
          (sql) => sql`delete from webhook_deliveries where team_id = ${team.id}`,
          { deadlineMs: 60_000 },
        );
        const bodies = Array.from({ length: waiting }, () => contactEvent(team.id));
        await putDeliveries(machine, bodies, 'pending');
        await machine.database.read((sql) => sql`checkpoint`, { deadlineMs: 60_000 });
        await sink.ask({ ask: 'reset' });
        const before = cpuSecondsOf([machine.postgres.pid]);
        const own: number = await child.ask({ step, url: sinkUrl, teamId: team.id });
        const postgres = cpuSecondsOf([machine.postgres.pid]) - before;
        const { requests, firstAtMs, lastAtMs } = await sink.ask({ ask: 'count' });
        if (requests !== waiting) throw new Error(`${step} made ${String(requests)} posts`);
        const perSecond = waiting / ((lastAtMs - firstAtMs) / 1_000);
        note(
          `${step} round ${String(round)}: ${perSecond.toFixed(0)}/s, ${own.toFixed(2)} s of CPU`,
        );
        if (round === 0) continue;
        figures.rate.push(perSecond);
        figures.own.push(own / (waiting / 1_000));
        figures.postgres.push(postgres / (waiting / 1_000));
      }
    }
  } finally {
    child.stop();
    await machine.close({ keepLogs: false });
  }
  for (const [step, { rate, own, postgres }] of measured) {
    const unit = 'CPU-s per 1,000';
    report.add(`drain_steps.${step}`, { value: rate, unit: 'deliveries/s' });
    report.add(`drain_steps.${step}.cpu`, { value: own, unit });
    report.add(`drain_steps.${step}.cpu_postgres`, { value: postgres, unit });
  }
}
