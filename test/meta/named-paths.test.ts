import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';

// Pages and their scripts name addresses of the API in texts and calls. A wrong one is found by
// nobody until a reader tries it.

const places = [
  'src/messaging/dev-mailbox',
  'src/meta/local-pages',
  'src/meta',
  'src/widget/script',
];
const files = places.flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: folder.endsWith('local-pages') })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name)),
);

/** A value that a script fills in may be any segment. */
const filledIn = '*';
const segmentsOf = (address: string) =>
  address
    .replaceAll(/\$\{[^}]*\}/g, filledIn)
    .replaceAll(/\{[^}]*\}/g, '{}')
    .replace(/\/$/, '')
    .split('/');
const known = endpoints.map((endpoint) => segmentsOf(endpoint.path));

/** Whether it is an address of the API, or the first segments of some. */
const isKnown = (segments: readonly string[]) =>
  known.some((one) => segments.every((segment, at) => [one[at], filledIn].includes(segment)));

test('every address of the API that a page names exists', () => {
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\/v2\/(?:\$?\{[^}]*\}|[\w./-])+/g)].map(
      ([address]) => ({
        file,
        address: address.replace(/\.$/, ''),
      }),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ address }) => !isKnown(segmentsOf(address)))).toEqual([]);
});
