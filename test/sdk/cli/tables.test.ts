import { expect, test } from '@jest/globals';
import { readColumn } from '../../../sdk/cli/src/output.ts';
import { columnsFor, declaredKeys } from '../../../sdk/cli/src/columns.ts';
import { createOutput } from '../../../sdk/cli/src/output.ts';
import { widthOf } from '../../../sdk/cli/src/width.ts';
import { itemOf } from '../../../sdk/generate/cli/write.ts';
import { formOf } from '../../../sdk/generate/cli/types.ts';
import { readDocument, readOperations } from '../../../sdk/generate/document.ts';
import type { Schema } from '../../../sdk/generate/document.ts';

const document = readDocument();
const lists = readOperations(document).flatMap((operation) => {
  const item = itemOf(operation, document);
  return item?.properties ? [{ id: operation.id, item }] : [];
});
const typeOf = ({ properties = {} }: Schema) => String(properties['type']?.const ?? '');
const columnsOf = ({ id, item }: { id: string; item: Schema }) =>
  columnsFor(id, [{ type: typeOf(item) }]).map(readColumn);

function exists(schema: Schema, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const { properties = {}, items } = formOf(schema, document).schema;
  const inner = /^\d+$/.test(name) ? items : properties[name];
  return inner !== undefined && exists(inner, rest);
}

test.each(lists)('the table of $id has columns of its rows, and not ids alone', (list) => {
  const columns = columnsOf(list);
  const paths = columns.flatMap((column) => column.paths);
  expect(paths.filter((path) => !exists(list.item, path))).toEqual([]);
  const isId = (path: readonly string[]) => /^(id|index)$|_id$/.test(path.at(-1) ?? '');
  expect(paths.filter((path) => !isId(path))).not.toEqual([]);
  expect(columns.length).toBeGreaterThan(1);
  expect(columns.length).toBeLessThanOrEqual(8);
});

test('every declared choice of columns is that of a list', () => {
  const known = new Set(lists.flatMap(({ id, item }) => [id, typeOf(item)]));
  expect(declaredKeys.filter((key) => !known.has(key))).toEqual([]);
});

function tableOf(rows: readonly object[], columns: readonly string[], width?: number) {
  const lines: string[] = [];
  const notes: string[] = [];
  const output = createOutput(
    () => false,
    (line) => lines.push(line),
    { columns: width, note: (line) => notes.push(line) },
  );
  output.rows(rows, columns);
  return { lines, notes };
}

test('a column takes its value from the first place that has one', () => {
  const rows = [
    { skip_reason: null, bounce: { code: '550' }, at: '2026-01-31T09:30:00.123Z' },
    { skip_reason: 'no_consent', bounce: null, at: null },
  ];
  expect(tableOf(rows, ['reason=skip_reason|bounce.code', 'at']).lines).toEqual([
    'reason      at',
    '550         2026-01-31T09:30:00Z',
    'no_consent  -',
  ]);
});

const id = '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11';

test('a table fits in its terminal, and an id stays whole', () => {
  const rows = [{ id, name: 'A very long name of a campaign in spring', url: 'x'.repeat(200) }];
  const { lines } = tableOf(rows, ['id', 'name', 'url'], 80);
  expect(lines[1]).toContain(id);
  expect(lines[1]).toContain('…');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
});

test('a file or another program gets each value as a whole', () => {
  const { lines } = tableOf([{ id, url: 'x'.repeat(200) }], ['id', 'url']);
  expect(lines[1]).toBe(`${id}  ${'x'.repeat(200)}`);
});

test('an empty list writes no line of a result', () => {
  expect(tableOf([], ['id'])).toEqual({ lines: [], notes: ['None.'] });
});

test('wide characters and emoji do not move the next column', () => {
  const rows = ['东京', 'Zoë', 'Zoe\u0308', '👩‍💻', 'ｶﾅ', '한국', '✔️'].map((name) => ({
    name,
    n: 1,
  }));
  const { lines } = tableOf(rows, ['name', 'n']);
  const places = lines.slice(1).map((line) => widthOf(line.slice(0, line.lastIndexOf('1'))));
  expect(new Set(places)).toEqual(new Set([6]));
  expect(['东京', 'Zoe\u0308', '👩‍💻', 'ｶﾅ', '✔️'].map(widthOf)).toEqual([4, 3, 2, 2, 2]);
});

test('a text of several lines stays in its row, and is never cut within a character', () => {
  const { lines } = tableOf([{ text: 'one\n  two' }, { text: '👩‍💻'.repeat(40) }], ['text'], 21);
  expect(lines).toEqual(['text', 'one two', `${'👩‍💻'.repeat(10)}…`]);
});
