import { expect, test } from '@jest/globals';
import { findBannedOpenings, findBannedWords } from './language.ts';

const wordsOf = (path: string, text: string) =>
  findBannedWords([{ path, text }]).map(({ line, message }) => `${line} ${message.split(' ')[0]}`);

test('standard terms, and words that contain a banned one, are accepted', () => {
  const text = '// Sends it again; amend, snap and untold stay.\nconst restarted = retry();\n';
  expect(wordsOf('src/a.ts', text)).toEqual([]);
});

test('a banned word in a comment, a string or SQL is reported with its line and the terms', () => {
  const text = "// Whoever asks\nconst text = 'Please mend it';\n";
  expect(wordsOf('src/a.ts', text)).toEqual(['1 “Whoever”', '2 “mend”']);
  expect(findBannedWords([{ path: 'src/a.sql', text: '\n-- made anew' }])).toEqual([
    {
      path: 'src/a.sql',
      line: 2,
      message: '“anew” is no standard term; instead: again, recompute, retry, restart',
    },
  ]);
});

test('a banned word in a camelCase identifier is reported, and a wire name is not', () => {
  expect(wordsOf('src/a.ts', 'tellJourneys(readAnew, isToldOf);')).toEqual([
    '1 “tell”',
    '1 “Anew”',
    '1 “Told”',
  ]);
  expect(wordsOf('src/a.ts', 'row.sealed_anew')).toEqual([]);
});

test('code in Markdown is not searched, and the text around it is', () => {
  const text = '`tell` is code.\n\n```sh\nnpm run tell\n```\n\nSubscribers hear it.\n';
  expect(wordsOf('docs/a.md', text)).toEqual(['7 “hear”']);
});

test('a comment that opens with a banned word is reported, and the word within a sentence is not', () => {
  const text = '/** What it is. */\n// Stores what it is.\n-- Of one row.\n * How long.\n';
  expect(findBannedOpenings([{ path: 'src/a.ts', text }]).map(({ line }) => line)).toEqual([
    1, 3, 4,
  ]);
});
