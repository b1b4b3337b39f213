import { expect, test } from '@jest/globals';
import { findAsvsFaults, findMissingFiles, requiredLevels } from './asvs.ts';

const required = Array.from(requiredLevels(), ([id, level]) => ({ id, level }));
const chapters = [...new Set(required.map(({ id }) => id.split('.')[0] ?? ''))];
const rowsOf = (chapter: string) => required.filter(({ id }) => id.startsWith(`${chapter}.`));

/** A table without a fault. */
const good = [
  `| All | ${String(required.length)} | 0 | 0 |`,
  ...chapters.map((chapter) => `| V${chapter} Name | ${String(rowsOf(chapter).length)} | 0 | 0 |`),
  ...required.map(
    ({ id, level }) =>
      `| ${id} | ${level} | Wording | met | See \`src/app/create-app.ts#createApp\`. |`,
  ),
].join('\n');

const files: Readonly<Record<string, string>> = {
  'src/app/create-app.ts': '// calls old\nexport function createApp() {}\n',
  'docs/keys.md': '## Keys in use\nText\n',
  'test/app.test.ts': "test('a promise', () => {});\n",
  'test/empty.test.ts': 'const later = 1;\n',
};
const exists = (path: string) => Object.hasOwn(files, path);
const read = (path: string) => files[path];
const faultsOf = (from: string, to: string) => findAsvsFaults(good.replace(from, to), read);

test('the standard has 253 requirements of levels 1 and 2', () => {
  expect(required).toHaveLength(253);
});

test('a table with each requirement once is accepted', () => {
  expect(findAsvsFaults(good, read)).toEqual([]);
});

test('a requirement without a row, with two, or of another level is reported', () => {
  const row = '| 1.2.1 | 1 | Wording | met | See `src/app/create-app.ts#createApp`. |';
  expect(faultsOf(`${row}\n`, '')).toContain('1.2.1 has no row');
  expect(faultsOf(row, `${row}\n${row}`)).toContain('1.2.1 has more than one row');
  expect(faultsOf('| 1.2.1 | 1', '| 1.2.1 | 2')).toEqual(['1.2.1 has the level 1']);
  expect(faultsOf('| 1.2.1 |', '| 1.2.99 |')).toEqual([
    '1.2.99 is no requirement of level 1 or 2',
    '1.2.1 has no row',
  ]);
});

test('a row without a known status, a reason or an existing file is reported', () => {
  const row = (status: string, reason: string) =>
    faultsOf(
      '| 1.2.1 | 1 | Wording | met | See `src/app/create-app.ts#createApp`. |',
      `| 1.2.1 | 1 | Wording | ${status} | ${reason} |`,
    );
  expect(row('partly', 'See `src/app/create-app.ts`.')).toContainEqual(
    expect.stringMatching(/^1\.2\.1 has a status that is none of/),
  );
  expect(row('not met', '')).toContain('1.2.1 has no reason');
  const unseen = '1.2.1 is met, but names no test and no line of a file';
  expect(row('met', 'Everybody knows it.')).toEqual([unseen]);
  expect(row('met', 'See `src/app/create-app.ts`.')).toEqual([unseen]);
  expect(row('met', 'See `test/app.test.ts` and `docs/keys.md#keys-in-use`.')).toEqual([]);
  expect(row('met', 'See `src/app/create-app.ts#old`.')).toEqual([
    '1.2.1 names src/app/create-app.ts#old, which is not in it',
  ]);
  expect(row('met', 'See `docs/keys.md#text`.')).toEqual([
    '1.2.1 names docs/keys.md#text, which is not in it',
  ]);
  expect(row('met', 'See `test/empty.test.ts`.')).toEqual([
    '1.2.1 names test/empty.test.ts, which has no test',
  ]);
  expect(row('met', 'See `test/app.test.ts` and `test/none.test.ts`.')).toEqual([
    '1.2.1 names test/none.test.ts, which does not exist',
  ]);
});

test('a summary that does not match the rows is reported', () => {
  expect(faultsOf('| V1 Name |', '| V1 Name | 1')).toEqual([
    expect.stringContaining('the summary of V1 must be once'),
  ]);
  expect(faultsOf('| All | 253 | 0 | 0 |', '| All | 252 | 1 | 0 |')).toEqual([
    'the summary of All must be once: 253, 0, 0',
  ]);
});

test('a file that a document names and that does not exist is reported', () => {
  const text = 'See `src/app/create-app.ts`, `test/none.test.ts` and `test/none.test.ts`.';
  expect(findMissingFiles(text, exists)).toEqual(['test/none.test.ts']);
});
