import { Type } from 'typebox';
import { Account, AccountItem } from '../../contacts/accounts/account.ts';
import { syncAccounts } from '../../contacts/accounts/sync/sync.ts';
import { contactReference, findReferred } from '../../contacts/lookup/contact-reference.ts';
import { withUnreferred } from '../unreferred.ts';
import { operation, outcomeOf } from '../operation-type.ts';

export const accountsSync = operation({
  kind: 'accounts.sync',
  category: 'accounts',
  summary: 'Create an account of a contact, or update the one with this unique_id',
  notes: 'Absent fields stay as they are, null clears; opened_at and closed_at open and close it.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:contacts:write'],
  outputScope: 'partner:contacts:read',
  rateLimitClass: 'bulk',
  audit: { none: 'contact_data' },
  input: Type.Object({ ...AccountItem, ...contactReference }, { additionalProperties: false }),
  output: Account,
  async apply({ sql, teamId }, items) {
    const referred = await findReferred(sql, teamId, items, { isLocked: true });
    const requested = items.flatMap((body, at) => {
      const found = referred[at];
      if (!found || 'problems' in found) return [];
      return [{ contactId: found.contact.id, uniqueId: body.unique_id, body }];
    });
    const synced = await syncAccounts(sql, teamId, requested);
    const outcomes = synced.map((outcome) =>
      outcome.status === 'failed' ? outcome : outcomeOf(outcome.status, outcome.account),
    );
    return withUnreferred(referred, outcomes);
  },
});
