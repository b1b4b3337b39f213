import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { pageOf, readResults } from './results.ts';

// `npm run verify -- mutants`: takes away, one at a time, what keeps teams and scopes apart, and looks whether
// the contract suite notices. Ends with 1 when a mutant survives.

const usage = `npm run verify -- mutants [--only <part of a site or a scope>]… [--operation <id>]…
  [--resume]  takes over what the runs before have killed
When all were tried, .onward/mutants.md has what became of each.`;
const page = '.onward/mutants.md';

/** The settings of the suite, passed in ONWARD_MUTANTS. */
export interface Choice {
  /** Only mutants whose place or name holds one of these. */
  only?: string[] | undefined;
  /** Only cells of these operations. */
  operations?: string[] | undefined;
  /** Leaves out what is killed already. */
  resumes?: boolean | undefined;
}

function start(choice: Choice, atEnd: () => Promise<void>): void {
  const child = spawn(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      ...['--import', './test/support/jest/register.mjs'],
      ...['node_modules/jest/bin/jest.js', '--config', 'test/mutants/jest.config.js'],
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ONWARD_MUTANTS: JSON.stringify(choice) },
    },
  );
  // The output of jest counts tests, of which there is one; it matters only if that one fails
  // before its figures.
  let said = '';
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    told += chunk.toString();
  });
  child.on('error', (error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
    if (figures.test(told)) void atEnd();
    else console.error(said);
  });
}

const figures = /^\d+ mutants, \d+ killed/m;

async function record(): Promise<void> {
  const settings = await resolveConfig('README.md');
  writeFileSync(page, await format(pageOf(readResults()), { ...settings, filepath: page }));
  console.log(`Written to ${page}.`);
}

try {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      operation: { type: 'string', multiple: true },
      resume: { type: 'boolean' },
    },
  });
  const { only, operation: operations, resume: resumes } = values;
  const isWhole = !only && !operations;
  start({ only, operations, resumes }, async () => (isWhole ? record() : undefined));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(usage);
  process.exitCode = 2;
}
