import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isExactNumber } from '../../../src/platform/http/exact-number.ts';
import { readForeignJson, readForeignText } from '../../../src/platform/http/foreign-json.ts';

test.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['12345678901234567890', '12345678901234567890'],
  ['9007199254740993e0', '9007199254740993e0'],
  ['9007199254740993.0', '9007199254740993.0'],
  ['1e400', '1e400'],
  ['-1E+400', '-1E+400'],
  ['1e-400', '1e-400'],
  ['1e21', 1e21],
  ['0.1', 0.1],
  ['0.1000000000000000055511151231257827', 0.1],
  ['1521472262.9081810001', 1521472262.908181],
  ['-0', -0],
])('the number %s is read as %j', (digits, value) => {
  expect(readForeignText(`{"a":[${digits}],"b":${digits} }`)).toEqual({ a: [value], b: value });
});

test('digits in strings and keys stay where they are', () => {
  const text = '{"9007199254740993":"1e400","\\"1e400":1e400,"é😀":[9007199254740993,"\\\\",7]}';
  expect(readForeignText(text)).toEqual({
    '9007199254740993': '1e400',
    '"1e400': '1e400',
    'é😀': ['9007199254740993', '\\', 7],
  });
});

test.each([
  '{9007199254740993:1}',
  '[9007199254740993.]',
  '[09007199254740993]',
  '[-]',
  '[1e400e]',
  '[+9007199254740993]',
  '[9007199254740993"a"]',
])('the malformed text %s stays malformed', (text) => {
  expect(readForeignText(text)).toBeUndefined();
});

test('every integer is read with its own digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (integer) => {
      const [read] = readForeignText(`[${String(integer)}]`) as unknown[];
      expect(String(read)).toBe(String(integer));
      expect(typeof read).toBe(Number.isSafeInteger(Number(integer)) ? 'number' : 'string');
    }),
  );
});

test('all digits of fractions are kept on request', () => {
  const bytes = Buffer.from('{"a":0.12345678901234567890,"b":1.5}');
  expect(readForeignJson(bytes)).toEqual({ a: 0.12345678901234568, b: 1.5 });
  expect(readForeignJson(bytes, isExactNumber)).toEqual({ a: '0.12345678901234567890', b: 1.5 });
});

test('a text that is neither an object nor a list is not read', () => {
  for (const text of ['', '7', '"a"', 'null', '{', '[1', `${'['.repeat(33)}${']'.repeat(33)}`]) {
    expect(readForeignText(text)).toBeUndefined();
  }
  expect(readForeignJson(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))).toBeUndefined();
});
