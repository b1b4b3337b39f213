import type { Operation } from './operation.ts';
import { contactsBulkUpsert } from './operations/contacts-bulk-upsert.ts';
import { contactsUpsert } from './operations/contacts-upsert.ts';

/** The catalogue. An operation is one value in a file of its own, and a line here. */
export const operations: readonly Operation[] = [contactsUpsert, contactsBulkUpsert];

const byKind = new Map(operations.map((operation) => [operation.kind, operation]));

export function findOperation(kind: string): Operation | undefined {
  return byKind.get(kind);
}
