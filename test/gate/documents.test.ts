import { expect, test } from '@jest/globals';
import {
  findBrokenLinks,
  findFixedAddresses,
  findMissingPaths,
  findUnknownDecisions,
} from './documents.ts';

const guide = { path: 'docs/guide.md', text: '# Guide\n\n## The first `step`, and more\n' };
const linksOf = (text: string) =>
  findBrokenLinks([{ path: 'README.md', text }, guide], (file) => file === 'docs/guide.md');

test('links to files, to headings and to other sites are accepted', () => {
  const text =
    '[a](docs/guide.md) [b](docs/guide.md#the-first-step-and-more) [c](https://x.example)';
  expect(linksOf(text)).toEqual([]);
});

test('a link to a file that does not exist is reported', () => {
  expect(linksOf('[a](docs/none.md)')).toEqual([
    'README.md links to docs/none.md, which does not exist',
  ]);
});

test('a link to a heading that does not exist is reported', () => {
  expect(linksOf('[a](docs/guide.md#second)')).toEqual([
    'README.md links to #second of docs/guide.md, which has no such heading',
  ]);
});

test('a page names no file that does not exist, unless its steps create it', () => {
  const faultsOf = (text: string, path = 'docs/a.md') =>
    findMissingPaths([{ path, text }], (file) => file === 'src/a.ts');
  expect(faultsOf('`src/a.ts`, `a.ts` and `listOverdue`')).toEqual([]);
  expect(faultsOf('`workflows/b.ts`')).toEqual([
    'docs/a.md names workflows/b.ts, which does not exist',
  ]);
  expect(faultsOf('<!-- run by: test/a.test.ts -->\n`src/b.ts`')).toEqual([]);
  expect(faultsOf('`src/b.ts`', 'docs/adr/0001-a.md')).toEqual([]);
});

test('code blocks contain neither links nor headings', () => {
  expect(linksOf('```md\n[a](docs/none.md)\n```\n')).toEqual([]);
  const page = { path: 'docs/page.md', text: '```sh\n# later\n```\n\n[a](page.md#later)\n' };
  expect(findBrokenLinks([page], () => true)).toHaveLength(1);
});

test('a citation of a decision needs a row in the index', () => {
  const index = '| ADR | Record |\n| --- | --- |\n| 3   | x |\n| 22a | y |\n';
  const text = '// ADR 3, 22a\n// ADR 3–4\n';
  expect(findUnknownDecisions([{ path: 'src/a.ts', text }], index)).toEqual([
    'src/a.ts cites ADR 4, which docs/adr/README.md does not have',
  ]);
});

test('a page that is served links to no address of this machine, but in code', () => {
  const faultsOf = (text: string, path = 'docs/a.md') => findFixedAddresses([{ path, text }]);
  expect(faultsOf('[mailbox](http://127.0.0.1:3000/mailbox)')).toHaveLength(1);
  expect(faultsOf('[a page](http://localhost/x) and 127.0.0.1:8233')).toHaveLength(2);
  expect(faultsOf('`http://127.0.0.1:3000`\n\n```sh\ncurl http://localhost:3000\n```\n')).toEqual(
    [],
  );
  expect(faultsOf('[mailbox](http://127.0.0.1:3000/mailbox)', 'README.md')).toEqual([]);
});
