import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { print, runCommand } from '../src/commands/command.ts';
import { lockDirectory } from '../src/local/directory-lock.ts';
import { siteFolder } from '../src/meta/site-files.ts';
import { readDigest, digestOfInputs } from './digest.ts';

const usage = `npm run site [-- options]: builds the documentation as static files.
  --out <folder>   where to build; dist/site unless given, from where the API serves it
  --base <path>    path under which the files will be published; /docs/ unless given
  --api <url>      API that the reference sends requests to; the origin of the page unless given
  --html-links     links that end in .html, for servers that do not add it
  --if-stale       builds only where the files are missing or older than the pages`;

// `npm run site`: builds the documentation site.
runCommand(async () => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: siteFolder },
      base: { type: 'string', default: '/docs/' },
      api: { type: 'string' },
      'html-links': { type: 'boolean', default: false },
      'if-stale': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(usage);
    return;
  }
  const { api, 'html-links': htmlLinks } = values;
  const folder = resolve(values.out);
  const base = `/${values.base.replaceAll(/^\/+|\/+$/g, '')}/`.replace('//', '/');
  const options = { folder, base, htmlLinks, ...(api !== undefined && { api }) };
  const lock = await waitForTurn();
  try {
    const digest = digestOfInputs(options);
    if (values['if-stale'] && readDigest(folder) === digest) return;
    const startedAtMs = performance.now();
    // Loads the whole service, which most starts need not wait for.
    const { buildSite } = await import('./build.ts');
    await buildSite(options, digest);
    const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
    print(`The documentation was built in ${seconds} s: ${folder}`);
  } finally {
    lock.release();
  }
});

/** The generator has one folder for its own files: builds follow one another. */
async function waitForTurn() {
  for (let isFirst = true; ; isFirst = false) {
    const lock = lockDirectory(resolve('dist'));
    if ('release' in lock) return lock;
    if (isFirst) print(`Waiting for another build, of process ${String(lock.pid)}.`);
    await pause(500);
  }
}
