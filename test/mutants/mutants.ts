import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../chaos/random.ts';
import { scopedEndpoints } from '../contract/scoped.ts';
import type { Arguments } from './main.ts';
import { findSites } from './sites.mjs';

export interface Mutant {
  /** What the switch is asked by. */
  id: string;
  /** Where it is: file:line, or the operation. */
  place: string;
}

/** Files whose statements no request of a client reaches; their own tests are named. */
const elsewhere: Readonly<Record<string, string>> = {
  'src/commands/': 'commands of operators; test/commands',
  'src/partner/audit-events/sealing/': 'runs in the worker; test/workflows/seal-audit-trail',
  'src/partner/webhook-subscriptions/sending/': 'runs in the worker; test/webhooks',
};

/** Mutants that change nothing that can be told from outside, and why. */
export const equivalent: Readonly<Record<string, string>> = {};

/** Every mutant that a request can reach. */
function allMutants(): Mutant[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('/queries.ts'))
    .filter((path) => !Object.keys(elsewhere).some((start) => path.startsWith(start)))
    .sort();
  const statements = files.flatMap((path) => findSites(path, readFileSync(path, 'utf8')));
  return [
    ...statements.map(({ id }) => ({ id, place: id })),
    ...scopedEndpoints.map(([id]) => ({ id: `scope ${id}`, place: `scope of ${id}` })),
    ...scopedEndpoints.flatMap(([id, { list }]) =>
      Object.keys(list?.includeScopes ?? {}).map((name) => ({
        id: `include ${id} ${name}`,
        place: `scope of ${name} in ${id}`,
      })),
    ),
  ];
}

/** Those that the arguments ask for, in an order that the seed decides. */
export function chooseMutants({ only, sample, seed, shard: [index, of] }: Arguments): Mutant[] {
  const random = seeded(seed);
  return allMutants()
    .filter(({ place }) => only === undefined || place.includes(only))
    .map((mutant) => ({ mutant, rank: random.between(0, 1) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ mutant }) => mutant)
    .slice(0, sample)
    .filter((_, at) => at % of === index - 1);
}
