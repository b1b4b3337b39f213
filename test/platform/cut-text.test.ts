import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutShown, cutText, shorten } from '../../src/platform/cut-text.ts';
import { cpuMsSince } from '../support/cpu-time.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

describe.each([
  ['cutText', cutText],
  ['cutShown', cutShown],
  ['shorten', shorten],
])('%s', (_name, cut) => {
  test('keeps a text that fits', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(cut(text, text.length)).toBe(text);
      }),
    );
  });

  test('never exceeds its limit, nor leaves half a character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 200 }), (text, maxUnits) => {
        const part = cut(text, maxUnits);
        expect(part.length).toBeLessThanOrEqual(maxUnits);
        expect(part.isWellFormed()).toBe(true);
        expect(text.startsWith(part.replace(/…$/u, '')) || text.startsWith(part)).toBe(true);
      }),
    );
  });
});

test('a text is cut before a character that would be divided', () => {
  expect(cutText(`${'x'.repeat(254)}😀tail`, 255)).toBe('x'.repeat(254));
  expect(cutText(`${'x'.repeat(253)}😀tail`, 255)).toBe(`${'x'.repeat(253)}😀`);
  expect(cutText('😀'.repeat(128), 255)).toBe('😀'.repeat(127));
  expect(cutText('𠮷野家', 1)).toBe('');
});

test.each([
  ['a family', '👨‍👩‍👧‍👦'],
  ['a flag', '🇪🇸'],
  ['the flag of a region', '🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['a skin tone', '👍🏽'],
  ['a letter with accents', 'e\u0301\u0323'],
  ['a syllable of Devanagari', 'क्षि'],
])('people see %s as a whole, or not at all', (_name, sign) => {
  for (let room = 0; room < sign.length; room += 1)
    expect(cutShown(`Hello ${sign}!`, 6 + room)).toBe('Hello ');
  expect(cutShown(`Hello ${sign}!`, 6 + sign.length)).toBe(`Hello ${sign}`);
});

test('a sign without an end costs a bounded time and is divided', () => {
  const endless = `e${'\u0301'.repeat(2_000_000)}`;
  const begun = process.cpuUsage();
  expect(cutShown(endless, 100)).toHaveLength(100);
  expect(cutShown(endless, 1_900_000)).toHaveLength(1_900_000);
  expect(cpuMsSince(begun)).toBeLessThan(1_000);
});

test('a shortened text ends with an ellipsis', () => {
  expect(shorten('abcdef', 4)).toBe('abc…');
  expect(shorten(`ab🇪🇸c`, 5)).toBe('ab…');
});
