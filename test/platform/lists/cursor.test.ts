import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HttpError } from '../../../src/platform/http/errors.ts';
import { createCursors } from '../../../src/platform/lists/cursor.ts';
import type { Position } from '../../../src/platform/lists/keyset.ts';
import { cpuMsSince } from '../../support/cpu-time.ts';
import { parse, things } from './lists.ts';

const teamId = randomUUID();
const key = (id: string) => ({ id, key: new TextEncoder().encode(`${id}-0123456789abcdef`) });
const cursors = createCursors([key('k1')]);
const scopeOf = (query = '', change = {}) => {
  const { order, filters } = parse(query);
  return { teamId, operationId: 'listThings', order, filters, ...change };
};
const position: Position = ['2026-01-01T00:00:00.000Z', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'];

/** The reason of the 410, or "none" where the cursor is taken. */
function reasonOf(cursor: string, scope = scopeOf(), by = cursors): unknown {
  try {
    by.decode(scope, 'page[after]', cursor);
    return 'none';
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    expect(error.status).toBe(410);
    expect(error.problems).toMatchObject([
      { code: 'cursor_invalid', meta: { parameter: 'page[after]' } },
    ]);
    return error.problems[0].meta?.reason;
  }
}

describe('the content of a cursor', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary-ascii' }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
  );

  test('every position survives a round trip in letters and digits only', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), fc.boolean(), (position, isInclusive) => {
        const start = { position, ...(isInclusive && { isInclusive }) };
        const cursor = cursors.encode(scopeOf(), start);
        expect(cursor).toMatch(/^[A-Za-z0-9]+$/);
        expect(cursor.length % 4).toBe(0);
        expect(cursors.decode(scopeOf(), 'page[after]', cursor)).toEqual(start);
      }),
      { numRuns: 1_000 },
    );
  });

  test('no triple of printable characters gives a character that is special in base64 or URLs', () => {
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    for (const a of printable) {
      const text = printable.flatMap((b) => printable.map((c) => a + b + c)).join('');
      for (const shift of ['', ' ', '  ']) {
        const pieces = text.match(/[^]{1,600}/g) ?? [];
        for (const piece of pieces.slice(0, 4)) {
          expect(cursors.encode(scopeOf(), { position: [shift + piece] })).toMatch(
            /^[A-Za-z0-9]+$/,
          );
        }
      }
    }
  });

  test('it survives standard, URL-safe and doubly encoded transport', () => {
    const cursor = cursors.encode(scopeOf(), { position });
    expect(encodeURIComponent(encodeURIComponent(cursor))).toBe(cursor);
    expect(Buffer.from(cursor, 'base64').toString('base64url')).toBe(cursor);
  });
});

describe('the shape of a cursor', () => {
  const query = 'sort=-name,score&filter[name][contains]=a&filter[score]=1';
  const cursor = cursors.encode(scopeOf(query), { position });

  test.each([
    query,
    'filter[score]=1&filter[name][contains]=a&sort=-name,score',
    'sort=-name,score&filter[name][contains]=a&filter[score][eq]=1',
    'sort=-name,score&filter[name][contains]=other&filter[score]=2',
    `${query}&page[size]=3&include=accounts&meta=count`,
  ])('it is taken with %s', (other) => {
    expect(reasonOf(cursor, scopeOf(other))).toBe('none');
  });

  test.each([
    'sort=name,score&filter[name][contains]=a&filter[score]=1',
    'sort=-name&filter[name][contains]=a&filter[score]=1',
    'sort=score,-name&filter[name][contains]=a&filter[score]=1',
    'sort=-name,score&filter[name]=a&filter[score]=1',
    'sort=-name,score&filter[name][contains]=a',
    `${query}&filter[is_active]=true`,
    '',
  ])('it is refused as shape_changed with %s', (other) => {
    expect(reasonOf(cursor, scopeOf(other))).toBe('shape_changed');
  });

  test('the default sort and the same sort written out are one shape', () => {
    const first = cursors.encode(scopeOf(), { position });
    expect(reasonOf(first, scopeOf('sort=-inserted_at'))).toBe('none');
  });

  test('a field that became another type is another shape', () => {
    const seen = { type: 'text', sort: true } as const;
    const { order, filters } = parse('sort=seen_at', {
      ...things,
      fields: { ...things.fields, seen_at: seen },
    });
    const before = cursors.encode(scopeOf('sort=seen_at'), { position });
    expect(reasonOf(before, scopeOf('', { order, filters }))).toBe('shape_changed');
  });

  test('another team and another list refuse it', () => {
    expect(reasonOf(cursor, scopeOf(query, { teamId: randomUUID() }))).toBe('signature_mismatch');
    expect(reasonOf(cursor, scopeOf(query, { operationId: 'listOthers' }))).toBe('other_list');
  });
});

describe('a forged cursor', () => {
  const cursor = cursors.encode(scopeOf(), { position });

  test('with a changed character is refused', () => {
    for (let index = 0; index < cursor.length; index += 1) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      expect(reasonOf(cursor.slice(0, index) + other + cursor.slice(index + 1))).not.toBe('none');
    }
  });

  test('that is cut or extended is refused', () => {
    for (let length = 0; length < cursor.length; length += 1) {
      expect(reasonOf(cursor.slice(0, length))).not.toBe('none');
    }
    for (const more of ['=', 'A', 'ICAg', 'AAAA', '%3D']) {
      expect(reasonOf(cursor + more)).not.toBe('none');
    }
  });

  test.each(['', 'x', 'null', '....', '-_-_', '====', 'Ünïcödé!', '\0', 'e30=', 'bnVsbA=='])(
    'such as %j is malformed',
    (garbage) => {
      expect(reasonOf(garbage)).toBe('malformed');
    },
  );

  test('that is long is refused without being decoded', () => {
    const garbage = 'A'.repeat(10_240);
    const begun = process.cpuUsage();
    for (let times = 0; times < 1_000; times += 1) expect(reasonOf(garbage)).toBe('malformed');
    expect(cpuMsSince(begun)).toBeLessThan(5_000);
  });

  test('of any text causes no internal error', () => {
    const base64 = fc.string().map((text) => Buffer.from(text).toString('base64'));
    const signed = fc
      .tuple(fc.constantFrom('k1', 'k2'), fc.string())
      .map(([id, text]) => Buffer.from(`1.${id}.${'0'.repeat(32)}.{${text}}`).toString('base64'));
    fc.assert(
      fc.property(fc.oneof(fc.string(), base64, signed), (text) => {
        expect(reasonOf(text)).not.toBe('none');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('keys', () => {
  test('the first key signs and every key verifies, so that a rotation ends no walk', () => {
    const old = createCursors([key('old')]);
    const both = createCursors([key('new'), key('old')]);
    const renewed = createCursors([key('new')]);
    const before = old.encode(scopeOf(), { position });
    const after = both.encode(scopeOf(), { position });
    expect(reasonOf(before, scopeOf(), both)).toBe('none');
    expect(reasonOf(after, scopeOf(), renewed)).toBe('none');
    expect(reasonOf(before, scopeOf(), renewed)).toBe('unknown_key');
    expect(reasonOf(after, scopeOf(), old)).toBe('unknown_key');
  });

  test('another key of the same name is no match', () => {
    const other = createCursors([{ id: 'k1', key: new Uint8Array(32) }]);
    expect(reasonOf(cursors.encode(scopeOf(), { position }), scopeOf(), other)).toBe(
      'signature_mismatch',
    );
  });

  test('no key, a short key and a malformed id are refused at once', () => {
    expect(() => createCursors([])).toThrow('at least one key');
    expect(() => createCursors([{ id: 'a', key: new Uint8Array(15) }])).toThrow('128 bit');
    expect(() => createCursors([{ id: 'a.b', key: new Uint8Array(32) }])).toThrow('malformed id');
  });
});
