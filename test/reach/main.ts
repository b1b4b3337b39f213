import { existsSync, readFileSync } from 'node:fs';
import { declaredNames } from './declared.ts';
import { recordFile } from './files.ts';

// `npm run verify -- reach`: lists what the schemas declare and no test has reached since the last full run of
// the tests began; ends with 1 if there is any.

const reached = new Set(existsSync(recordFile) ? readFileSync(recordFile, 'utf8').split('\n') : []);
if (reached.size === 0) console.log('Nothing was recorded yet. Run `npm test` first.');
const declared = declaredNames();
const missing = declared.filter((name) => !reached.has(name));
for (const name of missing) console.log(`not reached  ${name}`);
console.log(
  `${String(declared.length - missing.length)} of ${String(declared.length)} states, codes, event types and values were reached by tests.`,
);
process.exitCode = missing.length === 0 ? 0 : 1;
