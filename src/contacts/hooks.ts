import { createHook } from '../platform/events/hook.ts';
import type { AccountRow } from './accounts/queries.ts';

/** Two contacts that become one; both are locked. */
export interface MergedPair {
  winnerId: string;
  loserId: string;
}

/** A changed account; one that was created opened or closed has changed as well. */
export interface AccountChange {
  before: Pick<AccountRow, 'opened_at'>;
  after: AccountRow;
  kind: 'account.opened' | 'account.closed' | 'account.updated';
}

/** Contacts were archived or are about to be erased; they are locked. */
export const contactsDeleted = createHook<readonly string[]>('contactsDeleted');

/** Nothing may be sent to contacts any more. */
export const contactsSuppressed = createHook<readonly string[]>('contactsSuppressed');

/** Contacts have unsubscribed from a channel. */
export const contactsUnsubscribed = createHook<readonly string[]>('contactsUnsubscribed');

/** The loser was archived, and the winner has its accounts. */
export const contactsMerged = createHook<MergedPair>('contactsMerged');

/** Accounts were written and published. */
export const accountsChanged = createHook<readonly AccountChange[]>('accountsChanged');
