import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

// `npm run mutants`: takes away, one at a time, what keeps teams and scopes apart, and looks whether
// the contract suite notices. Ends with 1 when a mutant survives.

const usage =
  'npm run mutants -- [--only <file or operation id>] [--sample <n> | --all] [--seed <text>] [--shard <i>/<n>]';

/** What the suite is told, through ONWARD_MUTANTS. */
export interface Arguments {
  only: string | undefined;
  sample: number;
  seed: string;
  shard: [index: number, of: number];
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      sample: { type: 'string', default: '40' },
      all: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
      shard: { type: 'string', default: '1/1' },
    },
  });
  const [, index = '', of = ''] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(values.shard) ?? [];
  if (index === '' || Number(index) > Number(of)) throw new Error('--shard is such as 2/3');
  if (!/^\d+$/.test(values.sample)) throw new Error('--sample is a number');
  return {
    only: values.only,
    sample: values.all ? Number.MAX_SAFE_INTEGER : Number(values.sample),
    seed: values.seed,
    shard: [Number(index), Number(of)],
  };
}

function start(values: Arguments): void {
  const child = spawn(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      ...['node_modules/jest/bin/jest.js', '--config', 'test/mutants/jest.config.js'],
    ],
    { stdio: 'inherit', env: { ...process.env, ONWARD_MUTANTS: JSON.stringify(values) } },
  );
  child.on('error', (error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
  child.on('close', (code) => (process.exitCode = code ?? 1));
}

try {
  start(readArguments());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(usage);
  process.exitCode = 2;
}
