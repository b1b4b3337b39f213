import { createHook } from '../platform/events/hook.ts';

/** Contacts were archived or are about to be erased; they are locked. */
export const contactsDeleted = createHook<readonly string[]>('contactsDeleted');

/** Nothing may be sent to contacts any more. */
export const contactsSuppressed = createHook<readonly string[]>('contactsSuppressed');

/** Contacts have unsubscribed from a channel. */
export const contactsUnsubscribed = createHook<readonly string[]>('contactsUnsubscribed');
