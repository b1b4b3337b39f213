import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import {
  Email,
  inStoredForm,
  storedDomain,
  storedEmail,
} from '../../../src/platform/schema/email.ts';

describe('an address is stored with its domain in ASCII and in lower case', () => {
  test.each([
    ['Ada@Example.COM', 'Ada@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
    ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
    ['ada@example.xn--p1ai', 'ada@example.xn--p1ai'],
    ['ada@straße.example', 'ada@xn--strae-oqa.example'],
    ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@xn--ls8h.la', 'ada@xn--ls8h.la'],
    // A joiner that the alphabet needs.
    ['ada@نامه\u200cای.com', 'ada@xn--mgba3gch31f060k.com'],
    ["o'brien+tag/1=2@sub.example.co", "o'brien+tag/1=2@sub.example.co"],
    ['a@b.co', 'a@b.co'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`a@${'b'.repeat(63)}.com`, `a@${'b'.repeat(63)}.com`],
  ])('%s', (written, stored) => {
    expect(storedEmail(written)).toBe(stored);
    expect(storedEmail(stored)).toBe(stored);
    expect(Compile(Email()).Check(written)).toBe(true);
  });
});

describe('a text is no address', () => {
  test.each([
    ['', 'empty'],
    ['ada', 'no @'],
    ['@example.com', 'no local part'],
    ['ada@', 'no domain'],
    ['ada@example', 'no top-level domain'],
    ['.ada@example.com', 'dot at the beginning'],
    ['ada.@example.com', 'dot before the @'],
    ['a..b@example.com', 'two dots'],
    ['ada@.example.com', 'domain that begins with a dot'],
    ['ada@example..com', 'empty label'],
    ['ada@example.com.', 'dot at the end'],
    ['ada@-example.com', 'hyphen at the beginning of a label'],
    ['ada@example-.com', 'hyphen at the end of a label'],
    ['ada@exa_mple.com', 'underscore in the domain'],
    ['ada@exa%6dple.com', 'percent-encoding'],
    ['ada@example.com/path', 'path'],
    ['ada@example.com:25', 'port'],
    ['ada@192.0.2.1', 'IP address'],
    ['ada@0x7f.１', 'IP address in other digits'],
    ['ada@[192.0.2.1]', 'address literal'],
    ['ada@b@example.com', 'two @'],
    ['"ada lovelace"@example.com', 'quoted local part'],
    ['ada lovelace@example.com', 'space'],
    ['Ada <ada@example.com>', 'display name'],
    [' ada@example.com', 'space at the beginning'],
    ['ada@example.com\n', 'line break'],
    ['ada\0@example.com', 'control character'],
    ['ad\u202ea@example.com', 'mark of direction in the local part'],
    ['ada@exa\u202emple.com', 'mark of direction in the domain'],
    ['ada@exa\u200bmple.com', 'space of width zero'],
    ['ada@exa\u00admple.com', 'soft hyphen'],
    ['ada@example.com\ufeff', 'byte order mark'],
    ['ada@exa\u3000mple.com', 'ideographic space'],
    ['ada@a\u200cb.com', 'joiner between Latin letters'],
    ['ada@exa\u0378mple.com', 'unassigned character'],
    ['ada@exa\ue000mple.com', 'private character'],
    ['ada@℀.com', 'character that stands for a slash'],
    ['jürgen@example.com', 'local part beyond ASCII'],
    ['моя@россия.рф', 'local part in Cyrillic'],
    ['ada@xn--a.example', 'no punycode'],
    ['ada@example.xn--', 'empty punycode'],
    [`${'a'.repeat(65)}@example.com`, 'local part of 65'],
    [`a@${'b'.repeat(64)}.com`, 'label of 64'],
    [`a@${'ü'.repeat(64)}.com`, 'label of more than 63 in ASCII'],
    [`a@${`${'b'.repeat(60)}.`.repeat(4)}infos.com`, 'more than 254 characters'],
    [`${'a'.repeat(60)}@${'ü.'.repeat(28)}${'ü.'.repeat(10)}com`, 'more than 254 in ASCII'],
  ])('%j: %s', (text) => {
    expect(storedEmail(text)).toBeUndefined();
    expect(Compile(Email()).Check(text)).toBe(false);
  });
});

test('parts of an address and other texts in filters', () => {
  expect(inStoredForm('@Bücher.example')).toBe('@xn--bcher-kva.example');
  expect(inStoredForm('bücher.example')).toBe('xn--bcher-kva.example');
  expect(inStoredForm('ada@büch')).toBe('ada@büch');
  expect(inStoredForm('+14155550100')).toBe('+14155550100');
  expect(inStoredForm('')).toBe('');
});

test('what is accepted is ASCII, within the limits of SMTP, and its own stored form', () => {
  const part = fc.string({ unit: 'binary', maxLength: 70 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.tuple(part, part, part).map(([local, label, top]) => `${local}@${label}.${top}`),
        fc.string({ unit: 'binary', maxLength: 60 }).map((label) => `ada@${label}.example`),
      ),
      (text) => {
        const stored = storedEmail(text);
        if (stored === undefined) return;
        expect(stored).toMatch(/^[\x21-\x7e]+$/);
        expect(stored.length).toBeLessThanOrEqual(254);
        expect(stored.indexOf('@')).toBe(stored.lastIndexOf('@'));
        expect(storedEmail(stored)).toBe(stored);
        expect(Compile(Email()).Check(stored)).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a long text is refused in linear time', () => {
  const check = Compile(Email());
  const size = 200_000;
  const texts = ['a', 'a.', '@', 'a@', 'ü', 'ü.', 'xn--', '!'].flatMap((unit) => [
    unit.repeat(size),
    `ada@${unit.repeat(size)}`,
    `${unit.repeat(size)}@example.com`,
  ]);
  for (const text of texts)
    expect([check.Check(text), storedDomain(text)]).toEqual([false, undefined]);
});
