import { expect, test } from '@jest/globals';
import { findStalePages, findUndescribed } from './reference.ts';

const row = (name: string) => `| \`${name}\` | A purpose in words |`;

/** One declaration of each kind, with its page. */
const declared = [
  {
    noun: 'table',
    name: 'parcels',
    path: 'src/platform/database/migrations/0001-a.sql',
    text: '-- create table none (\ncreate unlogged table parcels (\n  id uuid\n);',
    page: 'docs/generated/tables.md',
    entry: '### `parcels`\n\nParcels of a team.',
  },
  {
    noun: 'setting',
    name: 'PARCEL_LIMIT',
    path: 'src/platform/config/parcels.ts',
    text: "export const limit = integer('PARCEL_LIMIT', 1, 1, 9);",
    page: 'docs/settings.md',
    entry: row('PARCEL_LIMIT'),
  },
  {
    noun: 'metric',
    name: 'onward_parcels_total',
    path: 'src/parcels/metrics.ts',
    text: "import { Counter } from 'prom-client';\nnew Counter({ name: 'onward_parcels_total' });",
    page: 'docs/generated/metrics.md',
    entry: row('onward_parcels_total'),
  },
  {
    noun: 'workflow',
    name: 'sendParcel',
    path: 'workflows/jobs.ts',
    text: "export const parcelJob = { workflow: 'sendParcel' };",
    page: 'docs/generated/workflows.md',
    entry: row('sendParcel'),
  },
];

test.each(declared)('a $noun with an entry is accepted', ({ path, text, page, entry }) => {
  expect(findUndescribed([{ path, text }], [{ path: page, text: entry }])).toEqual([]);
});

test.each(declared)('a $noun without an entry is reported', ({ noun, name, path, text, page }) => {
  expect(findUndescribed([{ path, text }], [{ path: page, text: '# Page' }])).toEqual([
    `${path} has the ${noun} ${name}, which ${page} does not have`,
  ]);
});

test.each(declared)('a $noun without a purpose is reported', (one) => {
  const entry = one.entry.replace(/(Parcels|A purpose).*?(?= \||$)/, 'Parcels');
  const page = { path: one.page, text: entry };
  expect(findUndescribed([one], [page])).toEqual([
    `${one.page} has no purpose of the ${one.noun} ${one.name}`,
  ]);
});

test('a page that differs from the output of the generator is reported', () => {
  const page = (table: string) => [
    { path: 'docs/a.md', text: `<!-- facts -->\n\n${table}\n\n<!-- end of facts -->` },
  ];
  const generated = { 'docs/a.md': { facts: 'new' } };
  expect(findStalePages(generated, page('new'))).toEqual([]);
  expect(findStalePages(generated, page('old'))).toEqual([
    'docs/a.md is out of date: run `npm run generate -- documents`',
  ]);
  expect(findStalePages(generated, [])).toEqual(['docs/a.md does not exist']);
});
