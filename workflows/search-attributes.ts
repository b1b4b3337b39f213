import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributePair, SearchAttributeUpdatePair } from '@temporalio/common';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';

/**
 * Updates search attributes where the workflow was started with some: a server that was not given
 * them would refuse the whole task.
 */
export function setSearchAttributes(
  pairs: (SearchAttributePair | SearchAttributeUpdatePair)[],
): void {
  if (workflowInfo().typedSearchAttributes.getAll().length > 0) upsertSearchAttributes(pairs);
}

/** Sets `Outcome`, and what else changes at the end, and passes the result on. */
export function endWith<const Result extends { outcome: string }>(
  result: Result,
  pairs: SearchAttributePair[] = [],
): Result {
  setSearchAttributes([...pairs, { key: searchAttributes.outcome, value: result.outcome }]);
  return result;
}
