import { Type } from 'typebox';
import { Count, Id, OneOf } from '../../platform/schema/fields.ts';
import { itemStatuses } from './rules.ts';

/** A problem of an item, as in `errors[]` of a response. */
const problem = {
  code: Type.String(),
  detail: Type.String(),
  meta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
};
const RunProblem = Type.Object(problem);

/** Why a run failed as a whole. */
export const RunError = Type.Object(problem, {
  description: 'Why it failed as a whole; shown to callers with the scopes of the operation',
});

/** Result of one item. */
export const RunItem = Type.Object(
  {
    index: Count('Its place among the items, counted from 0'),
    status: OneOf(itemStatuses),
    resource_type: Type.Optional(Type.String()),
    resource_id: Type.Optional(Id()),
    errors: Type.Array(RunProblem, { description: 'Pointers begin at the item' }),
  },
  { title: 'operation_item' },
);
