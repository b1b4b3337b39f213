import { startChild } from '../child.ts';
import type { Report } from '../report.ts';
import { failing, fanOut, neighbours, quiet, single } from '../webhooks/common-scenarios.ts';
import { openLibrary } from '../webhooks/library.ts';
import { openOnward } from '../webhooks/onward.ts';
import { dead, idle, killed, recover } from '../webhooks/own-scenarios.ts';
import { openProductOf } from '../webhooks/product.ts';
import type { Product } from '../webhooks/product.ts';
import type { Rig } from '../webhooks/rig.ts';
import { farAway, sharedHost } from '../webhooks/shared-host.ts';

export interface WebhooksOptions {
  rounds: number;
  isSmall: boolean;
  /** Module of another product, which is then measured instead of ours. */
  product: string | undefined;
  note: (line: string) => void;
}

/** S1 to S9 of deliveries, beside a loop that signs and posts only, and a queue from a library. */
export async function webhooks(options: WebhooksOptions, report: Report): Promise<void> {
  const { product: other, note, ...sizes } = options;
  const sink = startChild('test/bench/webhooks/sink.ts');
  const loop = startChild('test/bench/peers/signed-loop.ts');
  try {
    const { origin, elsewhere } = await sink.ask({ ask: 'where' });
    const rig = { sink, origin, elsewhere, loop, note, report, ...sizes };
    if (other === undefined) {
      await ofOnward(rig);
      await ofProduct(rig, await openLibrary(note), false);
    } else await ofProduct(rig, await openProductOf(other, note), true);
  } finally {
    sink.stop();
    loop.stop();
  }
}

async function ofOnward(rig: Rig): Promise<void> {
  const product = await openOnward(rig.note);
  try {
    const target = [`${rig.origin}/ok/single`];
    const one = await product.newAudience(target);
    const many = await product.newAudience(target, true);
    const s1 = 'webhooks.onward.s1';
    await single(rig, product, `${s1}.single`, one, { rate: 1_600, cpu: 0.7 });
    await single(rig, product, `${s1}.bulk`, many, { rate: 3_000, cpu: 0.7 });
    await quiet(rig, product, `${s1}.at_100`, one, { p50Ms: 5, p99Ms: 20 });
    await fanOut(rig, product, 'webhooks.onward.s2');
    await neighbours(rig, product, 'webhooks.onward.s3', true);
    await sharedHost(rig, product, 'webhooks.onward.s3b');
    await failing(rig, product, 'webhooks.onward.s4');
    await killed(rig, product);
    const idlePercent = await idle(rig, product);
    await recover(rig, product);
    await farAway(rig, product, 'webhooks.onward.s9');
    await dead(rig, product, idlePercent);
  } finally {
    await product.close();
  }
}

/** What can be asked of anybody; those that fail in more than receivers are left out for a library. */
async function ofProduct(rig: Rig, product: Product, isWhole: boolean): Promise<void> {
  const name = `webhooks.${product.name}`;
  try {
    const one = await product.subscribe([`${rig.origin}/ok/single`]);
    await single(rig, product, `${name}.s1.single`, one, {});
    await quiet(rig, product, `${name}.s1.at_100`, one, {});
    await fanOut(rig, product, `${name}.s2`);
    if (isWhole) {
      await neighbours(rig, product, `${name}.s3`, false);
      await failing(rig, product, `${name}.s4`);
    }
  } finally {
    await product.close();
  }
}
