import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Arguments {
  /** Scenarios to run; all of them when none is named. */
  names: readonly string[];
  /** Interleaved rounds of each comparison; medians are taken over them. */
  rounds: number;
  /** Rows of the file that `import` imports. */
  rows: number;
  /** Contacts of the team whose cohorts `cohorts` evaluates. */
  contacts: number;
  /** Engagement events of the team whose insights the scenario `insights` requests. */
  events: number;
  /** Minutes that `soak` takes. */
  minutes: number;
  /** File for the figures. */
  json: string | undefined;
  /** A tenth of what `webhooks` does otherwise. */
  isSmall: boolean;
  /** Modules of other products: `webhooks` measures them instead of Onward, `publish` beside it. */
  products: readonly string[];
  /** Scenarios of `webhooks` to run, such as `s3b,s9`; all when empty. */
  only: readonly string[];
  /** Reports statements that compared many rows without a match. */
  logsPlans: boolean;
  /** For the Node of the API and the worker: where `--profile` has their CPU profiles written. */
  nodeArguments: readonly string[];
}

export const usage =
  'npm run bench -- [scenario …] [--rounds <n>] [--rows <n>] [--contacts <n>] [--events <n>] [--minutes <n>] [--small] [--only <s1,s2 …>] [--product <module> …] [--json <file>] [--profile <directory>] [--plans]';

/**
 * Runs the usual scenarios where none is named. Throws with the reason when something is not
 * understood.
 */
export function readArguments(known: readonly string[], usual: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      rows: { type: 'string' },
      contacts: { type: 'string' },
      events: { type: 'string' },
      minutes: { type: 'string' },
      small: { type: 'boolean' },
      product: { type: 'string', multiple: true },
      json: { type: 'string' },
      profile: { type: 'string' },
      plans: { type: 'boolean' },
      only: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is no scenario: ${known.join(', ')}`);
  const rounds = countOf('rounds', values.rounds ?? '3');
  const rows = countOf('rows', values.rows ?? '50000');
  const contacts = countOf('contacts', values.contacts ?? '100000');
  const events = countOf('events', values.events ?? '1000000');
  const minutes = countOf('minutes', values.minutes ?? '60');
  const { json, product: products = [], small: isSmall = false, plans: logsPlans = false } = values;
  const only = values.only?.split(',') ?? [];
  const nodeArguments =
    values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(values.profile)}`];
  return {
    names: positionals.length > 0 ? positionals : usual,
    ...{ rounds, rows, contacts, events, minutes, isSmall, products, only, json, logsPlans },
    nodeArguments,
  };
}

function countOf(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new Error(`--${name} takes a whole number from 1`);
}
