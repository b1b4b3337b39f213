import { mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { bundleWorkflows } from '../../../src/platform/temporal/bundle.ts';
import { scratchDirectory } from '../../local/scratch.ts';

const cache = scratchDirectory();
const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);

test('a bundle is cached for the next worker, and bundles older than a week are deleted', async () => {
  const kept = join(cache, 'onward');
  mkdirSync(kept);
  for (const name of ['workflows-of-old.js', 'temporal-of-old']) {
    writeFileSync(join(kept, name), '');
    utimesSync(join(kept, name), eightDaysAgo, eightDaysAgo);
  }
  const { code } = await bundleWorkflows(cache);
  const [program, bundle = ''] = readdirSync(kept).sort();
  expect(program).toBe('temporal-of-old');
  expect(readFileSync(join(kept, bundle), 'utf8')).toBe(code);

  writeFileSync(join(kept, bundle), 'as it was kept');
  expect(await bundleWorkflows(cache)).toEqual({ code: 'as it was kept' });
});

test('a cache that cannot be written costs time, nothing else', async () => {
  const file = join(cache, 'no-directory');
  writeFileSync(file, '');
  expect((await bundleWorkflows(file)).code).toContain('deliverWebhooks');
});
