import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributePair, SearchAttributeUpdatePair } from '@temporalio/common';
import {
  missingAttributesMemo,
  searchAttributes,
} from '../src/platform/temporal/search-attributes.ts';

/**
 * Updates the search attributes that the namespace had when the workflow was started: a server
 * refuses the whole task if one is unknown.
 */
export function setSearchAttributes(
  pairs: (SearchAttributePair | SearchAttributeUpdatePair)[],
): void {
  const { memo, typedSearchAttributes } = workflowInfo();
  const missing = memo?.[missingAttributesMemo];
  if (typeof missing === 'string') {
    const names = new Set(missing.split(' '));
    const known = pairs.filter(({ key }) => !names.has(key.name));
    if (known.length > 0) upsertSearchAttributes(known);
  } else if (typedSearchAttributes.getAll().length > 0) {
    upsertSearchAttributes(pairs);
  }
}

/** Sets `Outcome`, and what else changes at the end, and passes the result on. */
export function endWith<const Result extends { outcome: string }>(
  result: Result,
  pairs: SearchAttributePair[] = [],
): Result {
  setSearchAttributes([...pairs, { key: searchAttributes.outcome, value: result.outcome }]);
  return result;
}
