import { parseArgs } from 'node:util';

export interface Arguments {
  seed: string;
  isShort: boolean;
  /** Names of scenarios separated by commas. */
  only: string | undefined;
  /** File for the figures. */
  json: string | undefined;
}

export const usage =
  'npm run chaos -- [--short] [--seed <text>] [--only <scenario,…>] [--json <file>]';

/** Throws with the reason when something is not understood. */
export function readArguments(names: readonly string[]): Arguments {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      short: { type: 'boolean' },
      only: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const { seed, short, only, json } = values;
  const unknown = only?.split(',').find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is no scenario: ${names.join(', ')}`);
  return {
    seed: seed ?? String(Math.floor(Math.random() * 1_000_000)),
    isShort: short ?? false,
    ...{ only, json },
  };
}
