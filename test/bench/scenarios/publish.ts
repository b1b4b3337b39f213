import { startChild } from '../child.ts';
import { median } from '../report.ts';
import type { Report } from '../report.ts';
import { openOnward } from '../webhooks/onward.ts';
import { openOwnRows } from '../webhooks/own-rows.ts';
import { openProductOf } from '../webhooks/product.ts';
import type { Audience, Product } from '../webhooks/product.ts';
import { measure, tenth } from '../webhooks/rig.ts';
import type { Measured, Rig } from '../webhooks/rig.ts';
import type { WebhooksOptions } from './webhooks.ts';

interface Way {
  name: string;
  /** A contact is written first: by our API in the same call, and by the caller of a peer itself. */
  isWritten: boolean;
  /** Each call has a key or an id of its event, so that it may be repeated. */
  isKeyed: boolean;
  /** Receivers of each event. */
  each: number;
  amount: number;
  /** Ratios to the rate and to the CPU seconds of the better peer. */
  aims: { rate?: number; cpu?: number };
}

const ways: readonly Way[] = [
  {
    ...{ name: 'f1a.single', isWritten: false, isKeyed: false, each: 1, amount: 10_000 },
    aims: { rate: 1.5, cpu: 0.667 },
  },
  {
    ...{ name: 'f1a.fan_out', isWritten: false, isKeyed: false, each: 10, amount: 2_000 },
    aims: { rate: 1.5, cpu: 0.667 },
  },
  {
    ...{ name: 'f1b', isWritten: true, isKeyed: false, each: 1, amount: 10_000 },
    aims: { rate: 1.3 },
  },
  {
    ...{ name: 'f1c.publish', isWritten: false, isKeyed: true, each: 1, amount: 10_000 },
    aims: {},
  },
  { ...{ name: 'f1c.write', isWritten: true, isKeyed: true, each: 1, amount: 10_000 }, aims: {} },
];

/** A product, and how its receivers are made. */
interface Contender {
  name: string;
  product: Product;
  audienceOf(way: Way, targets: readonly string[]): Promise<Audience>;
  close(): Promise<void>;
}

/** F1: publishing by 32 callers, compared with other products in turn. */
export async function publish(options: WebhooksOptions, report: Report): Promise<void> {
  const { products, nodeArguments, note, ...sizes } = options;
  const sink = startChild('test/bench/webhooks/sink.ts');
  const loop = startChild('test/bench/peers/signed-loop.ts');
  const contenders: Contender[] = [];
  try {
    const { origin, elsewhere } = await sink.ask({ ask: 'where' });
    const rig = { sink, origin, elsewhere, loop, note, report, ...sizes };
    contenders.push(await enterOnward(rig, nodeArguments));
    for (const file of products) contenders.push(await enterPeer(await openProductOf(file, note)));
    for (const way of ways) await compare(rig, way, contenders);
  } finally {
    for (const contender of contenders) await contender.close();
    sink.stop();
    loop.stop();
  }
}

async function enterOnward(rig: Rig, nodeArguments: readonly string[]): Promise<Contender> {
  const product = await openOnward(rig.note, nodeArguments);
  return {
    ...{ name: product.name, product, close: () => product.close() },
    audienceOf: ({ isWritten }, targets) =>
      isWritten ? product.newAudience(targets) : product.newEventAudience(targets),
  };
}

async function enterPeer(product: Product): Promise<Contender> {
  const { name, databaseServerUrl } = product;
  if (databaseServerUrl === undefined) throw new Error(`${name} has no Postgres for its caller`);
  const rows = await openOwnRows(databaseServerUrl);
  return {
    ...{ name, product },
    async audienceOf({ isWritten }, targets) {
      const audience = await product.subscribe(targets);
      return isWritten ? { ...audience, prepare: rows.insert } : audience;
    },
    async close() {
      await rows.close();
      await product.close();
    },
  };
}

/** All in turn, forwards and backwards in each round: what drifts meets each alike. */
async function compare(rig: Rig, way: Way, contenders: readonly Contender[]): Promise<void> {
  const { name, isKeyed, each } = way;
  const targets = Array.from({ length: each }, (_, at) => `${rig.origin}/ok/${name}/${String(at)}`);
  const entered: { contender: Contender; audience: Audience; rounds: Measured[] }[] = [];
  for (const contender of contenders)
    entered.push({
      ...{ contender, audience: await contender.audienceOf(way, targets), rounds: [] },
    });
  const play = (contender: Contender, audience: Audience, amount: number) =>
    measure(rig, contender.product, audience, { amount, isKeyed, each, settleMs: 2_000 });
  const amount = tenth(rig, way.amount);
  for (const { contender, audience } of entered) await play(contender, audience, amount / 2);
  for (let round = 0; round < rig.rounds; round += 1)
    for (const { contender, audience, rounds } of [...entered, ...entered.toReversed()]) {
      const found = await play(contender, audience, amount);
      rig.note(`publish.${name}.${contender.name}: ${JSON.stringify(found)}`);
      rounds.push(found);
    }
  for (const { audience } of entered) await audience.close();
  const [ours, ...peers] = entered.map(({ contender, rounds }) => ({
    ...{ name: contender.name, rounds },
  }));
  const rateOf = ({ rounds }: Played) => median(rounds.map(({ perSecond }) => perSecond));
  const [better] = peers.toSorted((a, b) => rateOf(b) - rateOf(a));
  if (ours) tell(rig, way, ours, better);
  for (const peer of peers) tell(rig, way, peer);
}

interface Played {
  name: string;
  rounds: readonly Measured[];
}

/** The figures of a product; ours with those of the better peer as their limits. */
function tell({ report }: Rig, way: Way, { name, rounds }: Played, better?: Played): void {
  const prefix = `publish.${way.name}.${name}`;
  const figure = (of: keyof Measured, unit: string) => ({
    ...{ value: rounds.map((round) => round[of]), unit },
    ...(better && { limit: better.rounds.map((round) => round[of]) }),
  });
  const { rate, cpu } = better ? way.aims : {};
  report.add(
    `${prefix}.rate`,
    figure('perSecond', 'deliveries/s'),
    rate === undefined ? undefined : { of: 'ratio', atLeast: rate },
  );
  report.add(
    `${prefix}.cpu`,
    figure('cpu', 'CPU-s per 1,000 deliveries, all parts'),
    cpu === undefined ? undefined : { of: 'ratio', atMost: cpu },
  );
  for (const [of, unit] of [
    ['p99Ms', 'ms accept → sink'],
    ['answerP99Ms', 'ms call → answer'],
  ] as const) {
    const value = rounds.map((round) => round[of]);
    report.add(`${prefix}.${of === 'p99Ms' ? 'p99' : 'answer_p99'}`, {
      value,
      isWorst: true,
      unit,
    });
  }
  const lost = rounds.reduce((sum, round) => sum + round.lost, 0);
  report.add(`${prefix}.lost`, { value: lost, unit: 'deliveries' }, { of: 'value', atMost: 0 });
}
