import { spawnSync } from 'node:child_process';

// `npm run pictures -- tour`: takes the pictures of the tour in docs/operators.md again, in a real Temporal UI.
const tests = ['test', '--silent', '--', 'test/tour'];
const { status } = spawnSync('npm', tests, {
  stdio: 'inherit',
  env: { ...process.env, ONWARD_PICTURES: 'true' },
});
process.exitCode = status ?? 1;
