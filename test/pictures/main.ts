import { spawnSync } from 'node:child_process';

// `npm run pictures`: takes the pictures of all pages again, into docs/images/pages.
const tests = ['test', '--silent', '--', 'test/pictures'];
const { status } = spawnSync('npm', tests, {
  stdio: 'inherit',
  env: { ...process.env, ONWARD_PICTURES: 'true' },
});
process.exitCode = status ?? 1;
