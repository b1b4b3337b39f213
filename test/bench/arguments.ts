import { parseArgs } from 'node:util';

export interface Arguments {
  /** Scenarios to run; all of them when none is named. */
  names: readonly string[];
  /** Interleaved rounds of each comparison; medians are taken over them. */
  rounds: number;
  /** File for the figures. */
  json: string | undefined;
  /** Directory for CPU profiles of the API and the worker. */
  profile: string | undefined;
}

export const usage =
  'npm run bench -- [scenario …] [--rounds <n>] [--json <file>] [--profile <directory>]';

/** Throws with the reason when something is not understood. */
export function readArguments(known: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string' }, json: { type: 'string' }, profile: { type: 'string' } },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is no scenario: ${known.join(', ')}`);
  const rounds = Number(values.rounds ?? 3);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds takes a whole number from 1');
  const { json, profile } = values;
  return { names: positionals.length > 0 ? positionals : known, ...{ rounds, json, profile } };
}
