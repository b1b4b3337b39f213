import { afterEach, expect, test } from '@jest/globals';
import { isAlive, listProcesses } from '../../src/local/processes.ts';
import { startEntry } from '../commands/spawn.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { eventually } from '../support/eventually.ts';

const folder = scratchDirectory();
const generators = () =>
  listProcesses().filter(
    ({ command }) => command.includes('generate.mjs') && command.includes(folder),
  );
afterEach(() => {
  for (const { pid } of generators()) process.kill(pid, 'SIGKILL');
});

test('a build that is killed leaves no generator behind, which would write into the next one', async () => {
  const build = startEntry('site/main.ts', ['--out', `${folder}/site`], {});
  const [generator] = await eventually(
    async () => generators(),
    (found) => found.length === 1,
  );
  build.kill('SIGKILL');
  await eventually(
    async () => isAlive(generator?.pid ?? 0),
    (alive) => !alive,
  );
  expect(generators()).toEqual([]);
});
