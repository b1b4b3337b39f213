import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPhone } from '../../src/widget/forms/phone.ts';

describe('a number as people write it is stored in E.164', () => {
  test.each([
    ['+49 (0)30 1234567', 'en', '+49301234567'],
    ['+49 (0) 209 22 33 44 55', 'en', '+4920922334455'],
    ['+44 020 7946 0958', 'en', '+442079460958'],
    ['+33 (0)6 10 10 10 10', 'en', '+33610101010'],
    ['+46 0736829291', 'en', '+46736829291'],
    ['+36 06 1 234 5678', 'en', '+3612345678'],
    ['+7 8 912 345 67 89', 'en', '+79123456789'],
    ['+375 8033 1234567', 'en', '+375331234567'],
    // Here the zero, or the eight, belongs to the number.
    ['+39 06 1234 5678', 'en', '+390612345678'],
    ['06 1234 5678', 'it-IT', '+390612345678'],
    ['+992 88 123 4567', 'en', '+992881234567'],
    ['+7 812 123 45 67', 'en', '+78121234567'],
    ['030 1234567', 'de-DE', '+49301234567'],
    ['020 7946 0958', 'en-GB', '+442079460958'],
    ['(415) 555-0100', 'en-US', '+14155550100'],
    ['1 415 555 0100', 'es-US', '+14155550100'],
    ['8 912 345-67-89', 'ru-RU', '+79123456789'],
    ['011 15 1234-5678', 'es-AR', '+5491112345678'],
    ['0049 30 1234567', 'en', '+49301234567'],
    ['0049 30 1234567', 'en-US', '+49301234567'],
    ['011 49 30 1234567', 'en-US', '+49301234567'],
    ['0011 49 30 1234567', 'en-AU', '+49301234567'],
    ['0049 (170) 123-4567', 'de-DE', '+491701234567'],
    ['+1.415.555.0100', 'de-DE', '+14155550100'],
    ['\u202a+49 30 1234567\u202c', 'en', '+49301234567'],
    ['＋４９ ３０ １２３４５６７', 'en', '+49301234567'],
    ['٠٣٠ ١٢٣٤٥٦٧', 'de-DE', '+49301234567'],
    ['+800 1234 5678', 'en', '+80012345678'],
  ])('%s in %s', (written, locale, number) => {
    expect(readPhone(written, locale)).toBe(number);
    expect(readPhone(number, locale)).toBe(number);
  });
});

describe('a text that is no number is refused', () => {
  test.each([
    ['', 'de-DE', 'empty'],
    ['030 1234567', 'en', 'no country code, and a locale without a country'],
    ['030 1234567', 'en-US', 'no number of the country'],
    ['+49 30 1', 'en', 'too short'],
    ['110', 'de-DE', 'emergency number'],
    ['+999 1234567', 'en', 'no country code that exists'],
    ['+1 415 555 0100 ext 5', 'en', 'extension'],
    ['+1 800 FLOWERS', 'en', 'letters'],
    ['call +49 30 1234567', 'en', 'other text'],
    ['+49 30 1234567, +49 30 7654321', 'en', 'two numbers'],
    ['+', 'de-DE', 'sign only'],
    ['+49 30 1234567 and much more text', 'en', 'more text'],
    [`+4930${'1'.repeat(100_000)}`, 'en', 'very long'],
  ])('%s in %s: %s', (written, locale) => {
    expect(readPhone(written, locale)).toBeUndefined();
  });
});

test('any text gives a number in E.164 that is read as itself, or none', () => {
  const digits = fc.array(fc.constantFrom(...'0123456789+()-./ '.split('')), { maxLength: 30 });
  const text = fc.oneof(
    digits.map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('en', 'de-DE', 'pt-BR', 'it-IT', 'es-419'), (one, locale) => {
      const number = readPhone(one, locale);
      if (number === undefined) return;
      expect(number).toMatch(/^\+[1-9]\d{6,14}$/);
      expect(readPhone(number, locale)).toBe(number);
    }),
    { numRuns: 2_000 },
  );
});
