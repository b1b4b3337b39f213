import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { JobResult, ShownValues } from '../src/platform/jobs/shape.ts';
import {
  missingAttributesMemo,
  searchAttributes,
} from '../src/platform/temporal/search-attributes.ts';

/**
 * Updates the search attributes that the namespace had when the workflow was started: a server
 * refuses the whole task if one is unknown. One that has the value already makes no event.
 */
function update(pairs: readonly SearchAttributeUpdatePair[]): void {
  const { memo, typedSearchAttributes: current } = workflowInfo();
  const missing = memo?.[missingAttributesMemo];
  if (typeof missing !== 'string' && current.getAll().length === 0) return;
  const unknown = new Set(typeof missing === 'string' ? missing.split(' ') : []);
  const known = pairs.filter(({ key, value }) => {
    const before = current.get(key) ?? null;
    return !unknown.has(key.name) && before?.valueOf() !== value?.valueOf();
  });
  if (known.length > 0) upsertSearchAttributes(known);
}

const pairsOf = ({ dueAt, waiting, ...words }: ShownValues): SearchAttributeUpdatePair[] => [
  ...(dueAt === undefined
    ? []
    : [{ key: searchAttributes.dueAt, value: dueAt === null ? null : new Date(dueAt) }]),
  ...(waiting === undefined ? [] : [{ key: searchAttributes.waiting, value: waiting }]),
  ...keywords.flatMap((name) => {
    const value = words[name];
    return value === undefined ? [] : [{ key: searchAttributes[name], value }];
  }),
];

const keywords = [
  'operationKind',
  'templateId',
  'contactId',
  'receiverId',
  'subscriptionId',
] as const satisfies (keyof ShownValues)[];

/** Shows what a round has found. */
export function show(values: ShownValues = {}): void {
  update(pairsOf(values));
}

/** Sets `Outcome`, and what else changes at the end. */
export function endWith({ outcome }: JobResult, values: ShownValues = {}): void {
  update([...pairsOf(values), { key: searchAttributes.outcome, value: outcome }]);
}
