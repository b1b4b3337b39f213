import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { fail } from '../http/errors.ts';
import type { ListRequest, SortKey } from './parse.ts';
import type { Filter } from './parse-filters.ts';
import type { PageStart } from './keyset.ts';

export interface CursorKey {
  /** 1 to 32 letters, digits, "_" and "-"; part of every cursor. */
  id: string;
  key: Uint8Array;
}

/** Scope of a cursor; it is rejected everywhere else. */
export interface CursorScope {
  teamId: string;
  operationId: string;
  order: readonly SortKey[];
  filters: readonly Filter[];
}

export interface Cursors {
  encode(scope: CursorScope, start: PageStart): string;
  /** Throws 410 `cursor_invalid` with `meta.reason` if the cursor does not verify. */
  decode(scope: CursorScope, parameter: string, cursor: string): PageStart;
}

type Reason = 'malformed' | 'unknown_key' | 'signature_mismatch' | 'other_list' | 'shape_changed';

const maxCursorLength = 8_192;
const tokenPattern = /^1\.([\w-]{1,32})\.([0-9a-f]{32})\.(\{.*\}) {0,2}$/s;

/**
 * Signed positions in lists (ADR 12). A cursor is the base64 of ASCII text without the
 * characters that would give "+" or "/", padded to whole triples: every decoder and every way to
 * handle URLs reads it alike. The first key signs, all of them verify; nothing expires.
 */
export function createCursors(keys: readonly CursorKey[]): Cursors {
  const [signing] = keys;
  if (!signing) throw new Error('cursors need at least one key');
  const keysById = new Map(keys.map(({ id, key }) => [id, key]));
  for (const { id, key } of keys) {
    if (!/^[\w-]{1,32}$/.test(id)) throw new Error('a cursor key has a malformed id');
    if (key.length < 16) throw new Error('a cursor key is shorter than 128 bit');
  }

  return {
    encode(scope, { position, isInclusive }) {
      const content = {
        o: scope.operationId,
        s: shapeOf(scope),
        p: position,
        ...(isInclusive && { i: true }),
      };
      const payload = toAscii(JSON.stringify(content));
      const token = `1.${signing.id}.${sign(signing.key, scope.teamId, payload)}.${payload}`;
      return Buffer.from(token.padEnd(Math.ceil(token.length / 3) * 3)).toString('base64');
    },
    decode(scope, parameter, cursor) {
      const opened = open(keysById, scope, cursor);
      if (typeof opened !== 'string') return opened;
      throw fail('cursor_invalid', {
        detail: `${reasons[opened]} Fetch the first page again.`,
        meta: { parameter, reason: opened },
      });
    },
  };
}

const reasons: Record<Reason, string> = {
  malformed: 'This is not a cursor, or not the whole of it.',
  unknown_key: 'The cursor is signed with a key that is no longer in use.',
  signature_mismatch: 'The cursor was altered or belongs to another team.',
  other_list: 'The cursor belongs to another list.',
  shape_changed: 'Sort or filters have changed since the cursor was issued.',
};

function open(
  keysById: ReadonlyMap<string, Uint8Array>,
  scope: CursorScope,
  cursor: string,
): PageStart | Reason {
  // Long garbage is refused before anything is computed from it.
  if (cursor.length > maxCursorLength || cursor.length % 4 !== 0) return 'malformed';
  if (!/^[A-Za-z0-9]+$/.test(cursor)) return 'malformed';
  const [, keyId = '', signature = '', payload] =
    tokenPattern.exec(Buffer.from(cursor, 'base64').toString('latin1')) ?? [];
  if (payload === undefined) return 'malformed';
  const key = keysById.get(keyId);
  if (!key) return 'unknown_key';
  const expected = Buffer.from(sign(key, scope.teamId, payload));
  if (!timingSafeEqual(Buffer.from(signature), expected)) return 'signature_mismatch';

  const content: unknown = JSON.parse(payload);
  if (!isContent(content)) return 'malformed';
  if (content.o !== scope.operationId) return 'other_list';
  if (content.s !== shapeOf(scope)) return 'shape_changed';
  return { position: content.p, ...(content.i === true && { isInclusive: true }) };
}

function sign(key: Uint8Array, teamId: string, payload: string): string {
  const text = `${teamId}\n${payload}`;
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}

/**
 * Fields with their types and operators, without values: the shape that the interface document
 * defines.
 */
function shapeOf({ order, filters }: Pick<ListRequest, 'order' | 'filters'>): string {
  const shape = [
    order.map(({ name, field, descending }) => [name, field.type, descending]),
    [...new Set(filters.map(({ name, operator }) => `${name} ${operator}`))].sort(),
  ];
  return createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 16);
}

function toAscii(json: string): string {
  return json.replace(
    /[>?~\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isContent(
  content: unknown,
): content is { o: string; s: string; p: PageStart['position']; i?: unknown } {
  return (
    typeof content === 'object' && content !== null && 'p' in content && Array.isArray(content.p)
  );
}
