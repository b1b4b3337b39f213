import { median } from '../report.ts';
import { measure, measureLoop, tenth } from './rig.ts';
import type { Measured, Rig } from './rig.ts';
import type { Audience, Product } from './product.ts';

// Scenarios for any product: publish an event, and measure when receivers have it.

/** Aims for Onward; the figures of other products have none. */
export interface Aims {
  rate?: number;
  p99Ms?: number;
  p50Ms?: number;
  cpu?: number;
}

const atMost = (limit: number | undefined) =>
  limit === undefined ? undefined : { of: 'value' as const, atMost: limit };
const atLeast = (limit: number | undefined) =>
  limit === undefined ? undefined : { of: 'value' as const, atLeast: limit };

function tell(
  rig: Rig,
  name: string,
  rounds: readonly Measured[],
  aims: Aims,
  limit?: number | readonly number[],
) {
  const { report } = rig;
  const of = (figure: keyof Measured) => rounds.map((round) => round[figure]);
  const worst = (figure: keyof Measured) => ({ value: of(figure), isWorst: true });
  const rate = { value: of('perSecond'), unit: 'deliveries/s' };
  report.add(`${name}.rate`, limit === undefined ? rate : { ...rate, limit }, atLeast(aims.rate));
  report.add(`${name}.p50`, { value: of('p50Ms'), unit: 'ms accept → sink' }, atMost(aims.p50Ms));
  report.add(`${name}.p99`, { ...worst('p99Ms'), unit: 'ms accept → sink' }, atMost(aims.p99Ms));
  report.add(`${name}.due_p50`, { value: of('dueP50Ms'), unit: 'ms due → sink' });
  report.add(`${name}.due_p99`, { ...worst('dueP99Ms'), unit: 'ms due → sink' });
  report.add(`${name}.answer_p50`, { value: of('answerP50Ms'), unit: 'ms due → answer' });
  report.add(`${name}.answer_p99`, { ...worst('answerP99Ms'), unit: 'ms due → answer' });
  report.add(`${name}.cpu`, { value: of('cpu'), unit: 'CPU-s per 1,000' }, atMost(aims.cpu));
  report.add(`${name}.wal`, { value: of('wal'), unit: 'bytes of WAL per 1,000' });
  const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
  const none = { of: 'value', atMost: 0 } as const;
  report.add(`${name}.lost`, { value: sum(of('lost')), unit: 'events' }, none);
  report.add(`${name}.duplicates`, { value: sum(of('duplicates')), unit: 'deliveries' }, none);
}

/** Accepted later than offered, or still waiting a second after the last answer: a backlog grows. */
const keptUp = ({ acceptedPerSecond, behindMs, p99Ms }: Measured, rate: number) =>
  acceptedPerSecond > rate * 0.95 && behindMs < 1_000 && p99Ms <= 500;

/** Trials of a rate; the best counts, for a checkpoint may fall into one. */
const trials = 3;
/** The highest rate is known to within this part. */
const precision = 0.05;

/**
 * Finds by bisection the highest rate, offered in the open for a minute, at which p99 stays below
 * 500 ms and nothing piles up.
 */
async function highestRate(
  rig: Rig,
  product: Product,
  name: string,
  audience: Audience,
  fullRate: number,
): Promise<{ highest: number; best: Measured | undefined }> {
  const seconds = rig.isSmall ? 2 : 60;
  async function keptUpWith(rate: number): Promise<Measured | undefined> {
    for (let trial = 0; trial < trials; trial += 1) {
      const load = { amount: Math.ceil(rate * seconds), perSecond: rate };
      const found = await measure(rig, product, audience, load);
      rig.note(`${name} at ${rate.toFixed(0)}: ${JSON.stringify(found)}`);
      if (keptUp(found, rate)) return found;
    }
    return undefined;
  }
  let best: Measured | undefined;
  let [highest, tooHigh] = [0, fullRate * 1.25];
  for (let rate = fullRate * 0.75; tooHigh - highest > tooHigh * precision;) {
    const found = await keptUpWith(rate);
    if (found) [highest, best] = [rate, found];
    else tooHigh = rate;
    rate = (highest + tooHigh) / 2;
  }
  return { highest, best };
}

/** S1: as fast as 32 callers go, and the highest rate that is kept up with. */
export async function single(
  rig: Rig,
  product: Product,
  name: string,
  audience: Audience,
  aims: Aims,
): Promise<void> {
  await measure(rig, product, audience, { amount: tenth(rig, 4_000) });
  const limit = await measureLoop(rig, tenth(rig, 20_000));
  const full: Measured[] = [];
  for (let round = 0; round < rig.rounds; round += 1) {
    full.push(await measure(rig, product, audience, { amount: tenth(rig, 10_000) }));
  }
  tell(rig, `${name}.32_callers`, full, {}, limit);
  const fullRate = median(full.map(({ perSecond }) => perSecond));
  const { highest, best } = await highestRate(rig, product, name, audience, fullRate);
  const value = { value: highest, unit: 'events/s that it keeps up with', limit };
  rig.report.add(`${name}.highest`, value, atLeast(aims.rate));
  if (best)
    tell(rig, `${name}.at_highest`, [best], { p99Ms: 500, ...(aims.cpu && { cpu: aims.cpu }) });
}

/** The same at a rate at which nothing is full. */
export async function quiet(
  rig: Rig,
  product: Product,
  name: string,
  audience: Audience,
  aims: Aims,
): Promise<void> {
  const rounds: Measured[] = [];
  for (let round = 0; round < rig.rounds; round += 1) {
    const load = { amount: tenth(rig, 2_000), perSecond: 100 };
    rounds.push(await measure(rig, product, audience, load));
  }
  tell(rig, name, rounds, aims);
}

const targets = (rig: Rig, way: string, count: number, origin = rig.origin) =>
  Array.from({ length: count }, (_, at) => `${origin}/${way}/${at}`);

/** S2: an event that ten receivers get. */
export async function fanOut(rig: Rig, product: Product, name: string): Promise<void> {
  const audience = await product.subscribe(targets(rig, 'ok', 10));
  const rounds: Measured[] = [];
  const limits: number[] = [];
  for (let round = 0; round <= rig.rounds; round += 1) {
    const limit = await measureLoop(rig, tenth(rig, 20_000));
    const offer = { amount: tenth(rig, 2_000), each: 10 };
    const found = await measure(rig, product, audience, offer);
    // The first warms up.
    if (round === 0) continue;
    limits.push(limit);
    rounds.push(found);
  }
  tell(rig, name, rounds, {}, limits);
  await audience.close();
}

const perEvent = 100;
const hanging = 10;

/** S3: what the others feel of receivers that never answer. */
export async function neighbors(
  rig: Rig,
  product: Product,
  name: string,
  isOurs: boolean,
): Promise<void> {
  const quiet: number[] = [];
  const disturbed: number[] = [];
  for (let round = 0; round < (rig.isSmall ? 1 : Math.max(5, rig.rounds)); round += 1) {
    for (const [ways, into] of [
      [targets(rig, 'ok', hanging, rig.elsewhere), quiet],
      [targets(rig, 'hang', hanging, rig.elsewhere), disturbed],
    ] as const) {
      // Hanging receivers are spread over every limit.
      const all = targets(rig, 'ok/well', perEvent - hanging).flatMap((well, at) => {
        const other = at % 9 === 0 ? ways[at / 9] : undefined;
        return other === undefined ? [well] : [other, well];
      });
      const audience = await product.subscribe(all);
      const heard = audience.reach * (ways[0]?.includes('/hang/') ? 1 - hanging / perEvent : 1);
      const offer = { amount: tenth(rig, 100), perSecond: 5, each: heard };
      const found = await measure(rig, product, audience, offer);
      rig.note(`${name} ${ways[0] ?? ''}: ${JSON.stringify(found)}`);
      into.push(found.p99Ms);
      await audience.close();
    }
  }
  rig.report.add(
    `${name}.healthy_p99`,
    { value: disturbed, unit: 'ms accept → sink', limit: quiet },
    isOurs ? { of: 'ratio', atMost: 1.1 } : undefined,
  );
}

/** S4: receivers of which every fifth answer is a 500; the schedule is a second each time. */
export async function failing(rig: Rig, product: Product, name: string): Promise<void> {
  const audience = await product.subscribe(targets(rig, 'flaky', 10));
  const amount = tenth(rig, 1_000);
  const found = await measure(rig, product, audience, { amount, perSecond: 50, each: 10 });
  rig.note(`${name}: ${JSON.stringify(found)}`);
  const beyond = (found.requests - amount * 10) / (amount / 100);
  rig.report.add(`${name}.until_all_had`, {
    value: found.behindMs / 1_000,
    unit: 's after the last answer',
  });
  rig.report.add(`${name}.attempts`, { value: beyond, unit: 'beyond the first, per 1,000' });
  rig.report.add(
    `${name}.lost`,
    { value: found.lost, unit: 'deliveries' },
    { of: 'value', atMost: 0 },
  );
  await audience.close();
}
