// `node src/local/run.mjs <entry.ts> [arguments]`: installs what is missing, then runs the entry in
// this very process, so that a signal reaches it and no process stands in between. With `--prepare`
// before any number of entries it leaves their programs for later starts, and runs none.
import module from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import './install.mjs';

const { compile, isProgram, programOf, runProgram } = await import('./program.mjs');
const [, , entry, ...others] = process.argv;
if (entry === undefined) {
  console.error('Usage: node src/local/run.mjs <entry.ts> [arguments]');
  process.exit(2);
}
// For packages; Node 20 has no such cache.
module.enableCompileCache?.(
  fileURLToPath(new URL('../../node_modules/.cache/onward-compiled', import.meta.url)),
);
if (entry === '--prepare') for (const other of others) await prepare(other);
else await run(resolve(entry));
// Otherwise it is written at the end, which a process that is killed does not have.
module.flushCompileCache?.();

async function prepare(other) {
  const program = await programOf(resolve(other));
  if (program === undefined)
    throw new Error('dist/programs cannot be written: make it writable for this user.');
  compile(program);
}

async function run(path) {
  // As if the entry had been started directly.
  process.argv.splice(1, 2, path);
  const program = isProgram(path) ? await programOf(path) : undefined;
  if (program !== undefined) {
    runProgram(program);
    return;
  }
  if (!process.features.typescript) module.register('./typescript.mjs', import.meta.url);
  await import(pathToFileURL(path).href);
}
