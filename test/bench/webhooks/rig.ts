import { randomBytes, randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { comesTrue, pause, percentile } from '../../world/moments.ts';
import type { Child } from '../child.ts';
import type { Report } from '../report.ts';
import type { Audience, Product } from './product.ts';

/** Shared parts of the scenarios: receivers, the bare loop, and the amount of work. */
export interface Rig {
  sink: Child;
  /** Origin of the receivers; the path selects the behavior. */
  origin: string;
  /** The same receivers at another origin. */
  elsewhere: string;
  loop: Child;
  rounds: number;
  /** A tenth of everything, to see that it works. */
  isSmall: boolean;
  note: (line: string) => void;
  report: Report;
}

const bodyBytes = 1_024;
const callers = 32;

interface Offer {
  amount: number;
  /** As fast as 32 callers go unless given; then each at its time. */
  perSecond?: number;
  /** Deliveries for each event. */
  each?: number;
  bytes?: number;
  /** Each call may be repeated, by a key or an id of its event. */
  isKeyed?: boolean;
  /** So long after the last arrival CPU seconds count, such as those of writes to a log. */
  settleMs?: number;
  /** When no more is waited for. */
  withinMs?: number;
}

export interface Measured {
  /** Deliveries from the first call to the last arrival. */
  perSecond: number;
  /** Events that were accepted, from the first call to the last answer. */
  acceptedPerSecond: number;
  /** From the answer to the arrival. */
  p50Ms: number;
  p99Ms: number;
  /** From the moment at which the call was due, or was made without a rate, to the arrival. */
  dueP50Ms: number;
  dueP99Ms: number;
  /** From the same moment to the answer. */
  answerP50Ms: number;
  answerP99Ms: number;
  /** From the last answer to the last arrival. */
  behindMs: number;
  lost: number;
  duplicates: number;
  /** Posts that receivers had, the failed ones included. */
  requests: number;
  /** Per 1,000 deliveries. */
  cpu: number;
  wal: number;
}

const now = () => performance.timeOrigin + performance.now();

/** In epoch milliseconds. */
interface Moments {
  dueAtMs: number;
  acceptedAtMs: number;
}

/** The moments of each mark; a call that fails is an error, for it would be no measurement. */
async function publish(product: Product, audience: Audience, offer: Offer) {
  const { amount, perSecond, bytes = bodyBytes, isKeyed } = offer;
  const pool = new Pool(product.url, { connections: perSecond === undefined ? callers : 128 });
  const run = randomBytes(4).toString('hex');
  const accepted = new Map<string, Moments>();
  let next = 0;
  const call = async (dueAtMs: number) => {
    const first = next;
    next = Math.min(amount, first + audience.most);
    const marks = Array.from({ length: next - first }, (_, at) => `mark-${run}-${first + at}`);
    for (const mark of marks) await audience.prepare?.(mark);
    const request = audience.publish(marks, bytes, isKeyed);
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode >= 300) throw new Error(`${request.path}: ${statusCode} ${text.slice(0, 300)}`);
    const moments = { dueAtMs, acceptedAtMs: now() };
    for (const mark of marks) accepted.set(mark, moments);
  };
  const startedAtMs = now();
  if (perSecond === undefined) {
    const loop = async () => {
      while (next < amount) await call(now());
    };
    await Promise.all(Array.from({ length: callers }, loop));
  } else {
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    while (next < amount && failures.length === 0) {
      const due = ((now() - startedAtMs) / 1_000) * perSecond;
      while (next < amount && next < due) {
        const one = call(startedAtMs + (next / perSecond) * 1_000)
          .catch((error: unknown) => failures.push(error))
          .then(() => undefined)
          .finally(() => underWay.delete(one));
        underWay.add(one);
      }
      await pause(1);
    }
    await Promise.all(underWay);
    if (failures.length > 0) throw failures[0];
  }
  await pool.destroy();
  return { accepted, startedAtMs, endedAtMs: now() };
}

/** Publishes, waits for the last delivery, and returns the time and cost. */
export async function measure(...given: Parameters<typeof measureArrivals>): Promise<Measured> {
  return (await measureArrivals(...given)).measured;
}

/** As `measure`, with the moments of all arrivals, in epoch milliseconds and in order. */
export async function measureArrivals(
  { sink }: Rig,
  product: Product,
  audience: Audience,
  offer: Offer,
): Promise<{ measured: Measured; arrivals: readonly number[] }> {
  const { amount, each = 1, withinMs = 120_000, settleMs = 0 } = offer;
  const expected = amount * each;
  await sink.ask({ ask: 'reset' });
  const before = { cpu: product.cpu(), wal: await product.wal() };
  const { accepted, startedAtMs, endedAtMs } = await publish(product, audience, offer);
  const isThere = async () => {
    const { count, distinct } = await sink.ask({ ask: 'count' });
    // A post that came again must not stand for one that has yet to come.
    return (each === 1 ? distinct : count) >= expected;
  };
  await comesTrue(isThere, withinMs, 20);
  await pause(settleMs);
  const { taken, requests }: { taken: [string, number][]; requests: number } = await sink.ask({
    ask: 'taken',
  });
  const after = { cpu: product.cpu(), wal: await product.wal() };
  const ours = taken.filter(([mark]) => accepted.has(mark));
  const counts = new Map<string, number>();
  for (const [mark] of ours) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const latenciesSince = (moment: keyof Moments) =>
    ours.map(([mark, atMs]) => Math.max(0, atMs - (accepted.get(mark)?.[moment] ?? atMs)));
  const answers = [...accepted.values()].map(({ dueAtMs, acceptedAtMs }) => acceptedAtMs - dueAtMs);
  const lastAtMs = ours.at(-1)?.[1] ?? Number.NaN;
  const over = [...accepted.keys()].map((mark) => (counts.get(mark) ?? 0) - each);
  const thousands = expected / 1_000;
  const measured = {
    perSecond: ours.length / ((lastAtMs - startedAtMs) / 1_000),
    acceptedPerSecond: amount / ((endedAtMs - startedAtMs) / 1_000),
    p50Ms: percentile(latenciesSince('acceptedAtMs'), 0.5),
    p99Ms: percentile(latenciesSince('acceptedAtMs'), 0.99),
    dueP50Ms: percentile(latenciesSince('dueAtMs'), 0.5),
    dueP99Ms: percentile(latenciesSince('dueAtMs'), 0.99),
    answerP50Ms: percentile(answers, 0.5),
    answerP99Ms: percentile(answers, 0.99),
    behindMs: lastAtMs - endedAtMs,
    lost: over.reduce((sum, count) => sum + Math.max(0, -count), 0),
    duplicates: over.reduce((sum, count) => sum + Math.max(0, count), 0),
    requests,
    cpu: (after.cpu - before.cpu) / thousands,
    wal: (after.wal - before.wal) / thousands,
  };
  return { measured, arrivals: ours.map(([, atMs]) => atMs) };
}

/** The rate of the bare loop for as many bodies at the same receivers, in requests per second. */
export async function measureLoop({ loop, sink, origin }: Rig, amount: number): Promise<number> {
  const bodies = Array.from({ length: amount }, () => {
    const body = JSON.stringify({ id: randomUUID(), data: { note: '' } });
    return body.replace('""', JSON.stringify('x'.repeat(bodyBytes - body.length)));
  });
  const perSecond: number = await loop.ask({ url: `${origin}/ok/loop`, bodies, underWay: 64 });
  await sink.ask({ ask: 'reset' });
  return perSecond;
}

export const tenth = ({ isSmall }: Rig, amount: number) => (isSmall ? amount / 10 : amount);
