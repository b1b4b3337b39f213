import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributePair, SearchAttributeUpdatePair } from '@temporalio/common';

/**
 * Updates search attributes where the workflow was started with some: a server that was not given
 * them would refuse the whole task.
 */
export function setSearchAttributes(
  pairs: (SearchAttributePair | SearchAttributeUpdatePair)[],
): void {
  if (workflowInfo().typedSearchAttributes.getAll().length > 0) upsertSearchAttributes(pairs);
}
