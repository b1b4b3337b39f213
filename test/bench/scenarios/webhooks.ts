import { startChild } from '../child.ts';
import type { Report } from '../report.ts';
import { failing, fanOut, neighbors, quiet, single } from '../webhooks/common-scenarios.ts';
import { openLibrary } from '../webhooks/library.ts';
import { openOnward } from '../webhooks/onward.ts';
import type { Onward } from '../webhooks/onward.ts';
import { killed, restarted } from '../webhooks/kills.ts';
import { besideDead, dead, idle, recover } from '../webhooks/own-scenarios.ts';
import { openProductOf } from '../webhooks/product.ts';
import type { Product } from '../webhooks/product.ts';
import type { Rig } from '../webhooks/rig.ts';
import { farAway, sharedHost } from '../webhooks/shared-host.ts';

export interface WebhooksOptions {
  rounds: number;
  isSmall: boolean;
  /** Modules of other products, which are measured one after the other instead of Onward. */
  products: readonly string[];
  /** Names of scenarios, such as `s3b`: only these of Onward, and no peer. All when empty. */
  only: readonly string[];
  /** For the Node of our API and worker. */
  nodeArguments: readonly string[];
  note: (line: string) => void;
}

/** S1 to S10 of deliveries, compared with a loop that signs and sends, and a queue of a library. */
export async function webhooks(options: WebhooksOptions, report: Report): Promise<void> {
  const { products, only, nodeArguments, note, ...sizes } = options;
  const unknown = only.filter((name) => !(name in scenarios));
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')}: ${Object.keys(scenarios).join(', ')}`);
  const sink = startChild('test/bench/webhooks/sink.ts');
  const loop = startChild('test/bench/peers/signed-loop.ts');
  try {
    const { origin, elsewhere } = await sink.ask({ ask: 'where' });
    const rig = { sink, origin, elsewhere, loop, note, report, ...sizes };
    for (const other of products) await ofProduct(rig, await openProductOf(other, note), true);
    if (products.length > 0) return;
    await ofOnward(rig, only, nodeArguments);
    if (only.length === 0) await ofProduct(rig, await openLibrary(note), false);
  } finally {
    sink.stop();
    loop.stop();
  }
}

const onward = 'webhooks.onward';
const s1 = `${onward}.s1`;
/** A scenario leaves nothing behind that the next one would notice. */
const scenarios: Record<string, (rig: Rig, product: Onward) => Promise<void>> = {
  s1: async (rig, product) => {
    const target = [`${rig.origin}/ok/single`];
    const one = await product.newAudience(target);
    const many = await product.newAudience(target, true);
    await single(rig, product, `${s1}.single`, one, { rate: 1_600, cpu: 0.9 });
    await single(rig, product, `${s1}.bulk`, many, { rate: 3_000, cpu: 0.7 });
    await quiet(rig, product, `${s1}.at_100`, one, { p50Ms: 1.5, p99Ms: 6, cpu: 2.8 });
  },
  s2: (rig, product) => fanOut(rig, product, `${onward}.s2`),
  s3: (rig, product) => neighbors(rig, product, `${onward}.s3`, true),
  s3b: (rig, product) => sharedHost(rig, product, `${onward}.s3b`),
  s4: (rig, product) => failing(rig, product, `${onward}.s4`),
  s5: killed,
  s6: recover,
  s9: (rig, product) => farAway(rig, product, `${onward}.s9`),
  s10: besideDead,
  s11: restarted,
  // S7, a service at rest, is what the end of S8 is compared with.
  s8: async (rig, product) => dead(rig, product, await idle(rig, product)),
};

async function ofOnward(
  rig: Rig,
  only: readonly string[],
  nodeArguments: readonly string[],
): Promise<void> {
  const product = await openOnward(rig.note, nodeArguments);
  try {
    for (const [name, run] of Object.entries(scenarios))
      if (only.length === 0 || only.includes(name)) await run(rig, product);
  } finally {
    await product.close();
  }
}

/** Scenarios for any product; a library skips those with faults beyond receivers. */
async function ofProduct(rig: Rig, product: Product, isWhole: boolean): Promise<void> {
  const name = `webhooks.${product.name}`;
  try {
    const one = await product.subscribe([`${rig.origin}/ok/single`]);
    await single(rig, product, `${name}.s1.single`, one, {});
    await quiet(rig, product, `${name}.s1.at_100`, one, {});
    await fanOut(rig, product, `${name}.s2`);
    if (isWhole) {
      await neighbors(rig, product, `${name}.s3`, false);
      await failing(rig, product, `${name}.s4`);
    }
  } finally {
    await product.close();
  }
}
