import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Count, Id, OneOf } from '../../platform/schema/fields.ts';
import { fail } from '../../platform/http/errors.ts';
import type { Operation } from '../operation-type.ts';

/** Items of one request at most. */
const maxItems = 10_000;

const Item = Type.Unknown({ description: 'By the input_schema of the operation' });

export const ExecutionRequest = Type.Object(
  {
    input: Type.Optional(Item),
    items: Type.Optional(
      Type.Array(Item, {
        minItems: 1,
        description: `Instead of input; at most ${String(maxItems)}`,
      }),
    ),
    options: Type.Optional(
      Type.Object(
        {
          dry_run: Type.Optional(
            Type.Boolean({ description: 'Try everything and keep nothing; false if absent' }),
          ),
          return: Type.Optional(
            OneOf(
              ['full', 'ids', 'none'],
              'full: with the output of each item; ids: without; none: only the items that failed',
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ExecutionRequest = Static<typeof ExecutionRequest>;

export const ItemProblem = Type.Object({
  code: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  meta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

/** Result of a request that was executed immediately. */
export const ExecutionReport = Type.Object(
  {
    execution_id: Type.Union([Id(), Type.Null()], {
      description: 'Null: it is done, and there is nothing to poll',
    }),
    status: OneOf(
      ['succeeded', 'succeeded_with_errors', 'failed'],
      'succeeded_with_errors: some items failed; failed: all did',
    ),
    dry_run: Type.Boolean(),
    summary: Type.Object({
      total: Count(),
      succeeded: Count(),
      failed: Count(),
      skipped: Count(),
    }),
    results: Type.Array(
      Type.Object({
        index: Count('Place among the items'),
        status: OneOf(['created', 'updated', 'unchanged', 'skipped', 'failed']),
        resource_type: Type.Optional(Type.String()),
        id: Type.Optional(Id('The resource')),
        errors: Type.Array(ItemProblem, { description: 'Pointers begin at the body' }),
        output: Type.Optional(Type.Unknown({ description: 'By the output_schema' })),
      }),
    ),
  },
  { title: 'operation_report' },
);

/** The items of a request with their places in the body. Throws 422. */
export function itemsOf({ input, items }: ExecutionRequest, { bulkThreshold }: Operation) {
  if (items === undefined) {
    if (input !== undefined) return { items: [input], pointerOf: () => '/input' };
    throw invalid('/input', 'required', 'input or items is required.');
  }
  if (input !== undefined) {
    throw invalid('/items', 'unknown_field', 'items excludes input; send one of them.');
  }
  const max = bulkThreshold === undefined ? 1 : maxItems;
  if (items.length > max) {
    throw fail('too_many_items', {
      detail: `A request takes at most ${String(max)} of these items; upload larger sets as a batch.`,
      meta: { pointer: '/items', max },
    });
  }
  return { items, pointerOf: (index: number) => `/items/${String(index)}` };
}

function invalid(pointer: string, rule: string, detail: string) {
  return fail('validation_failed', { detail, meta: { pointer, rule } });
}
