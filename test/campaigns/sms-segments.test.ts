import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { smsSegments } from '../../src/campaigns/messages/sms-segments.ts';

describe('a text message is split into the segments that networks charge', () => {
  test.each([
    ['', 1],
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['ж'.repeat(70), 1],
    ['ж'.repeat(71), 2],
    ['ж'.repeat(134), 2],
    ['ж'.repeat(135), 3],
    // A character of two units is not split over the border.
    [`${'a'.repeat(152)}€${'a'.repeat(151)}`, 2],
    [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    [`${'a'.repeat(158)}€`, 1],
    [`${'a'.repeat(159)}€`, 2],
    [']'.repeat(153), 3],
    ['😎'.repeat(35), 1],
    ['😎'.repeat(66), 2],
    ['😎'.repeat(67), 3],
    [`${'ж'.repeat(66)}👋${'ж'.repeat(66)}`, 3],
    [`${'ж'.repeat(68)}👋`, 1],
    // In UCS-2, brackets are one unit like others.
    [`this is a ${']'.repeat(74)}😘`, 2],
    ['{'.repeat(69) + '∞', 1],
  ])('%j: %i', (text, segments) => {
    expect(smsSegments(text)).toBe(segments);
  });
});

/** The units of each segment, filled one after the other from a queue of characters. */
function packed(sizes: readonly number[], room: number): number[] {
  const queue = [...sizes];
  const segments: number[] = [];
  while (queue.length > 0) {
    let free = room;
    while (queue[0] !== undefined && queue[0] <= free) free -= queue.shift() ?? 0;
    segments.push(room - free);
  }
  return segments;
}

test('the number is that of segments that are filled one after the other', () => {
  const alphabet = (...characters: string[]) =>
    fc.array(fc.constantFrom(...characters), { maxLength: 500 });
  const texts = fc.oneof(
    alphabet('a').chain((plain) => alphabet('a', '€', '\n').map((rest) => [...plain, ...rest])),
    alphabet('a', 'é', '[', '€', 'Δ'),
    alphabet('a', '€', 'ж', '😎', '[').map((all) => [...all, 'ж']),
    alphabet('ж', '😎'),
  );
  fc.assert(
    fc.property(texts, (characters) => {
      const isGsm = characters.every((one) => 'aé[€Δ\n'.includes(one));
      const sizes = characters.map((one) => (isGsm ? ('[€'.includes(one) ? 2 : 1) : one.length));
      const [alone, joined] = isGsm ? [160, 153] : [70, 67];
      const isOne = packed(sizes, alone).length <= 1;
      expect(smsSegments(characters.join(''))).toBe(isOne ? 1 : packed(sizes, joined).length);
    }),
    { numRuns: 1_000 },
  );
});
