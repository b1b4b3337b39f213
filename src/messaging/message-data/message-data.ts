import { Type } from 'typebox';
import { countObjects, sizeProblems } from '../../engagement/engagement-events/rules.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import { createYielding } from '../../platform/http/event-loop.ts';
import { withPointerPrefix } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { interpretedProblems } from '../../platform/http/interpreted-schema.ts';
import type { DataSchema } from '../../platform/schema/data-schema.ts';

/** Values that texts show as `data`. */
export type MessageData = Readonly<Record<string, unknown>>;

/** Objects and lists in such data: each is compared with all properties of its schema. */
const maxDataObjects = 100;

/** An optional field with such data. */
export const MessageDataField = (about: string) =>
  Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `At most 8 KB of JSON, ${about}`,
    }),
  );

/** The problems of each value with the schemas, all of which it has to match; undefined has none. */
export async function listDataProblems(
  schemas: readonly DataSchema[],
  values: readonly (MessageData | undefined)[],
): Promise<(readonly Problem[])[]> {
  const checks = schemas.length > 0 ? schemas.map(interpretedProblems) : [undeclared];
  const yieldNow = createYielding();
  const problems: (readonly Problem[])[] = [];
  for (const data of values) {
    const found = data ? boundProblems(data) : [];
    for (const check of data && found.length === 0 ? checks : []) {
      found.push(...check(data));
      await yieldNow();
    }
    problems.push(found.map((one) => withPointerPrefix(one, '/data')));
  }
  return problems;
}

function boundProblems(data: object): Problem[] {
  const [oversized] = sizeProblems('data', data);
  if (oversized) return [{ ...oversized, meta: { ...oversized.meta, pointer: '' } }];
  if (countObjects(data) <= maxDataObjects) return [];
  const detail = `data has at most ${String(maxDataObjects)} objects and lists.`;
  return [{ code: 'validation_failed', detail, meta: { pointer: '', rule: 'max_items' } }];
}

function undeclared(data: unknown): readonly Problem[] {
  if (Object.keys(data ?? {}).length === 0) return [];
  const detail = 'No message declares data. Set data_schema on the messages that show it.';
  return [{ code: 'validation_failed', detail, meta: { pointer: '', rule: 'unknown_field' } }];
}

/** Opens data that was sealed to a place. */
export function openData(keyring: Keyring, sealed: string, place: string[]): MessageData {
  const data: unknown = JSON.parse(keyring.open(sealed, place));
  return isData(data) ? data : {};
}

const isData = (value: unknown): value is MessageData =>
  typeof value === 'object' && value !== null;
