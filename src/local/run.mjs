// `node src/local/run.mjs <entry.ts> [arguments]`: installs what is missing, then runs the entry in
// this very process, so that a signal reaches it and no process stands in between.
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import './install.mjs';

const entry = process.argv[2];
if (entry === undefined) {
  console.error('Usage: node src/local/run.mjs <entry.ts> [arguments]');
  process.exit(2);
}
const path = resolve(entry);
// As if the entry had been started directly.
process.argv.splice(1, 2, path);
if (!process.features.typescript) register('./typescript.mjs', import.meta.url);
await import(pathToFileURL(path).href);
