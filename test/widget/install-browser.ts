import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

// `npm run browser`: fetches the Chromium that the tests of pages use, into a place of the project.

const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json');
const home = path.resolve('.onward', 'browsers');
const { status } = spawnSync(
  process.execPath,
  [path.join(path.dirname(manifest), 'cli.js'), 'install', 'chromium-headless-shell'],
  { stdio: 'inherit', env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: home } },
);
if (status !== 0) {
  console.error('Chromium cannot be fetched; name one that is here by ONWARD_CHROMIUM.');
  process.exitCode = 1;
}
