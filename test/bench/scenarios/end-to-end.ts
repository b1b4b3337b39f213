import { percentile } from '../../world/moments.ts';
import { callAtARate, callInALoop } from '../load.ts';
import { median } from '../report.ts';
import type { Report } from '../report.ts';
import { cpuBetween, postContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

const events = 8_000;
const publishers = 32;
const quiet = { perSecond: 100, amount: 2_000 };

/** POST contact → event → one delivery: as fast as it goes, and at a quiet rate. */
export async function endToEnd(stand: Stand, report: Report): Promise<void> {
  const full: Awaited<ReturnType<typeof publish>>[] = [];
  const slow: Awaited<ReturnType<typeof publish>>[] = [];
  const team = await stand.newSubscribedTeam(1);
  const request = postContact(stand.base, team);
  await publish(stand, 4_000, (onAnswer) =>
    callInALoop(request, { callers: publishers, amount: 4_000 }, onAnswer),
  );
  for (let round = 0; round < stand.rounds; round += 1) {
    full.push(
      await publish(stand, events, (onAnswer) =>
        callInALoop(request, { callers: publishers, amount: events }, onAnswer),
      ),
    );
    slow.push(
      await publish(stand, quiet.amount, (onAnswer) => callAtARate(request, quiet, onAnswer)),
    );
    stand.note(
      `end_to_end round ${String(round + 1)}: ${JSON.stringify([full.at(-1), slow.at(-1)])}`,
    );
  }
  const of = (rounds: typeof full, name: keyof (typeof full)[number]) =>
    median(rounds.map((round) => round[name]));
  report.add(
    'end_to_end.rate',
    { value: of(full, 'perSecond'), unit: 'deliveries/s' },
    { of: 'value', atLeast: 1_600 },
  );
  report.add('end_to_end.p50', { value: of(full, 'p50Ms'), unit: 'ms accept → sink' });
  report.add(
    'end_to_end.p99',
    { value: of(full, 'p99Ms'), unit: 'ms accept → sink' },
    { of: 'value', atMost: 500 },
  );
  report.add(
    'end_to_end.cpu',
    { value: of(full, 'cpu'), unit: 'CPU-s per 1,000, all parts' },
    { of: 'value', atMost: 0.9 },
  );
  for (const part of ['api', 'worker', 'postgres', 'temporal'] as const) {
    report.add(`end_to_end.cpu.${part}`, { value: of(full, part), unit: 'CPU-s per 1,000' });
  }
  report.add(
    'at_100_per_second.p50',
    { value: of(slow, 'p50Ms'), unit: 'ms accept → sink' },
    { of: 'value', atMost: 1.5 },
  );
  report.add(
    'at_100_per_second.p99',
    { value: of(slow, 'p99Ms'), unit: 'ms accept → sink' },
    { of: 'value', atMost: 6 },
  );
  report.add(
    'at_100_per_second.cpu',
    { value: of(slow, 'cpu'), unit: 'CPU-s per 1,000' },
    { of: 'value', atMost: 2.8 },
  );
}

/** Publishes and waits for the last delivery; latencies from the answer to the arrival. */
async function publish(
  stand: Stand,
  amount: number,
  load: (onAnswer: (text: string) => void) => Promise<unknown>,
) {
  const answered = new Map<string, number>();
  await stand.sink.ask({ ask: 'reset', ids: true });
  const before = stand.cpu();
  const startedAtMs = performance.timeOrigin + performance.now();
  await load((text) => {
    const id = /"id":"([^"]+)"/.exec(text)?.[1] ?? '';
    answered.set(id, performance.timeOrigin + performance.now());
  });
  if (!(await stand.sinkHas(amount, 60_000))) throw new Error('not everything was delivered');
  const { lastAtMs, arrivals } = await stand.sink.ask({ ask: 'arrivals' });
  const cpu = cpuBetween(before, stand.cpu());
  const latencies = [...answered].map(([id, atMs]) => Math.max(0, arrivals.get(id) - atMs));
  const perThousand = (seconds: number) => seconds / (amount / 1_000);
  return {
    perSecond: amount / ((lastAtMs - startedAtMs) / 1_000),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpu: perThousand(cpu.all),
    api: perThousand(cpu.api),
    worker: perThousand(cpu.worker),
    postgres: perThousand(cpu.postgres),
    temporal: perThousand(cpu.temporal),
  };
}
