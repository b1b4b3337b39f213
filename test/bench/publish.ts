import { percentile } from '../world/moments.ts';
import { callAtARate, callInALoop } from './load.ts';
import type { LoadResult, Request } from './load.ts';
import { cpuBetween } from './stand.ts';
import type { Stand } from './stand.ts';

const publishers = 32;

/** Rates, latencies and CPU seconds of publishing and of its deliveries. */
export type Published = Awaited<ReturnType<typeof publish>>;
type Parts = Pick<Stand, 'sink' | 'sinkHas' | 'cpu'>;
type OnAnswer = (text: string, dueAtMs?: number) => void;

/** As fast as 32 callers go. */
export const atFullRate = (parts: Parts, request: Request, amount: number) =>
  publish(parts, amount, (onAnswer) =>
    callInALoop(request, { callers: publishers, amount }, onAnswer),
  );

/** Each request at its time. */
export const atRate = (
  parts: Parts,
  request: Request,
  how: { perSecond: number; amount: number },
) => publish(parts, how.amount, (onAnswer) => callAtARate(request, how, onAnswer));

/** Publishes and waits for the last delivery. */
async function publish(
  { sink, sinkHas, cpu: readCpu }: Parts,
  amount: number,
  load: (onAnswer: OnAnswer) => Promise<Pick<LoadResult, 'p50Ms' | 'p99Ms'> & { failed?: number }>,
) {
  const answered = new Map<string, { atMs: number; dueAtMs: number }>();
  await sink.ask({ ask: 'reset', ids: true });
  const before = readCpu();
  const startedAtMs = performance.timeOrigin + performance.now();
  const answers = await load((text, dueAtMs) => {
    const id = /"id":"([^"]+)"/.exec(text)?.[1] ?? '';
    const atMs = performance.timeOrigin + performance.now();
    answered.set(id, { atMs, dueAtMs: dueAtMs ?? atMs });
  });
  if (answers.failed) throw new Error(`${String(answers.failed)} requests failed`);
  if (!(await sinkHas(amount, 60_000))) throw new Error('not everything was delivered');
  const { lastAtMs, arrivals } = await sink.ask({ ask: 'arrivals' });
  const cpu = cpuBetween(before, readCpu());
  const latenciesSince = (since: 'atMs' | 'dueAtMs') =>
    [...answered].map(([id, moments]) => Math.max(0, arrivals.get(id) - moments[since]));
  const perThousand = (seconds: number) => seconds / (amount / 1_000);
  return {
    perSecond: amount / ((lastAtMs - startedAtMs) / 1_000),
    answerP50Ms: answers.p50Ms,
    answerP99Ms: answers.p99Ms,
    p50Ms: percentile(latenciesSince('atMs'), 0.5),
    p99Ms: percentile(latenciesSince('atMs'), 0.99),
    dueP50Ms: percentile(latenciesSince('dueAtMs'), 0.5),
    dueP99Ms: percentile(latenciesSince('dueAtMs'), 0.99),
    cpu: perThousand(cpu.all),
    api: perThousand(cpu.api),
    worker: perThousand(cpu.worker),
    postgres: perThousand(cpu.postgres),
    temporal: perThousand(cpu.temporal),
  };
}
