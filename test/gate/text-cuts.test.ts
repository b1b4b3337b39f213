import { expect, test } from '@jest/globals';
import { findTextCuts } from './text-cuts.ts';

const declarations = [
  'declare const text: string;',
  'declare const optional: string | undefined;',
  'declare const list: string[];',
  'declare const bytes: Uint8Array;',
  'declare const now: string;',
  'declare const id: string;',
  'declare const maxLength: number;',
  'const maxUnits = 255;',
];

/** Those of the lines that are reported; all at once, since the types of the language take long. */
function reported(lines: readonly string[]): string[] {
  const text = [...declarations, ...lines].join('\n');
  return findTextCuts([{ path: 'src/contacts/example.ts', text }]).map((finding) => {
    const [, line = ''] = /^src\/contacts\/example\.ts:(\d+): /.exec(finding) ?? [];
    return lines[Number(line) - declarations.length - 1] ?? finding;
  });
}

test('the gate reports cuts of text at a limit', () => {
  const cuts = [
    'text.slice(0, 255)',
    'text.slice(0, maxUnits)',
    'text.slice(0, maxUnits - 1)',
    'text.slice(0, maxLength)',
    'optional?.slice(0, 80)',
    'text.trim().slice(0, 80)',
    'id.slice(0, 255)',
    'text.slice(-4)',
    'text.substring(0, 80)',
    'text.substr(2)',
  ];
  expect(reported(cuts)).toEqual(cuts);
});

test('the gate accepts lists, bytes, timestamps, and positions that were searched for', () => {
  const others = [
    'list.slice(0, 20)',
    'list.slice(0, maxUnits)',
    '[...text].slice(-4)',
    'bytes.slice(0, 8)',
    "text.slice(0, text.indexOf('@'))",
    "text.slice(text.lastIndexOf('/') + 1)",
    'text.slice(1, -1)',
    'now.slice(0, 10)',
    'new Date().toISOString().slice(0, 10)',
  ];
  expect(reported(others)).toEqual([]);
});
