import { findFreePort } from '../../../src/local/ports.ts';
import { pause } from '../../world/moments.ts';
import type { Report } from '../report.ts';
import { cpuBetween } from '../stand.ts';
import type { Stand } from '../stand.ts';

const watchMs = 15_000;
const settleMs = 20_000;
/** After a start, compilation and garbage collection continue for most of a minute. */
const coolDownMs = 60_000;
const dead = 200;

/** The cost of the service while it is idle, and while no receiver responds. */
export async function standing(stand: Stand, report: Report): Promise<void> {
  await pause(coolDownMs);
  const idle = await watch(stand);
  report.add('idle.cpu', { value: idle.all, unit: '% of a core' }, { of: 'value', atMost: 3 });
  for (const part of ['api', 'worker', 'postgres', 'temporal'] as const) {
    report.add(`idle.cpu.${part}`, { value: idle[part], unit: '% of a core' });
  }
  // There is no listener: connections are refused.
  const nowhere = `http://127.0.0.1:${String(await findFreePort())}/`;
  const teams = await Promise.all(
    Array.from({ length: dead / 50 }, () => stand.newSubscribedTeam(50, nowhere)),
  );
  for (const team of teams) {
    await team.must('POST', '/v2/partner/contacts', { email: 'nobody@example.com' });
  }
  await pause(settleMs);
  const troubled = await watch(stand);
  report.add(
    `dead_subscriptions_${String(dead)}.cpu`,
    { value: troubled.all, unit: '% of a core' },
    { of: 'value', atMost: 5 },
  );
}

/** Percent of a core, by part, in each round. */
async function watch(stand: Stand) {
  const rounds: ReturnType<typeof cpuBetween>[] = [];
  for (let round = 0; round < Math.min(3, stand.rounds); round += 1) {
    const before = stand.cpu();
    const startedAt = performance.now();
    await pause(watchMs);
    const seconds = (performance.now() - startedAt) / 1_000;
    const used = cpuBetween(before, stand.cpu());
    const percent = (value: number) => (value / seconds) * 100;
    rounds.push({
      api: percent(used.api),
      worker: percent(used.worker),
      postgres: percent(used.postgres),
      temporal: percent(used.temporal),
      all: percent(used.all),
    });
    stand.note(`standing: ${JSON.stringify(rounds.at(-1))}`);
  }
  const of = (part: keyof ReturnType<typeof cpuBetween>) => rounds.map((round) => round[part]);
  return {
    api: of('api'),
    worker: of('worker'),
    postgres: of('postgres'),
    temporal: of('temporal'),
    all: of('all'),
  };
}
