import { eventType } from '../platform/events/event-type.ts';
import { Account } from './accounts/account.ts';
import { ContactErasure, ErasedContact } from './contact-erasures/contact-erasure.ts';
import { Contact } from './contact.ts';
import { LegalHold } from './legal-holds/legal-hold.ts';
import { TopicConsentsChanged } from './topic-consents/topic-consents.ts';

export const contactCreated = eventType('contact.created', 'A contact was created.', Contact);
export const contactUpdated = eventType('contact.updated', 'A contact was changed.', Contact, {
  previous: true,
});
export const contactDeleted = eventType('contact.deleted', 'A contact was archived.', Contact);
export const contactMerged = eventType(
  'contact.merged',
  'A contact was merged into the contact in merged_into_id, and archived.',
  Contact,
);
export const contactErased = eventType(
  'contact.erased',
  'A contact was erased; only its id remains.',
  ErasedContact,
);
export const contactErasureCompleted = eventType(
  'contact_erasure.completed',
  'No copy of an erased contact is left; the event has ids only.',
  ContactErasure,
  { since: '2026-11-30' },
);
export const contactConsentChanged = eventType(
  'contact.consent_changed',
  'A consent was given or withdrawn.',
  Contact,
  {
    previous: true,
  },
);
export const contactTopicConsentChanged = eventType(
  'contact.topic_consent_changed',
  'A consent to a topic was given or withdrawn.',
  TopicConsentsChanged,
  { since: '2026-11-27' },
);
export const contactSuppressed = eventType(
  'contact.suppressed',
  'A contact or its address was suppressed; nothing more is sent to it.',
  Contact,
  { previous: true },
);

export const contactEvents = [
  contactCreated,
  contactUpdated,
  contactDeleted,
  contactMerged,
  contactErased,
  contactErasureCompleted,
  contactConsentChanged,
  contactTopicConsentChanged,
  contactSuppressed,
];

export const accountCreated = eventType('account.created', 'An account was created.', Account);
export const accountUpdated = eventType(
  'account.updated',
  'An account was changed or reopened.',
  Account,
  { previous: true },
);
const accountOpened = eventType('account.opened', 'An account was opened.', Account, {
  previous: true,
});
const accountClosed = eventType('account.closed', 'An account was closed.', Account, {
  previous: true,
});

export const accountEvents = [accountCreated, accountUpdated, accountOpened, accountClosed];

export const legalHoldPlaced = eventType(
  'legal_hold.placed',
  'A legal hold was placed on a contact or on the team.',
  LegalHold,
);
export const legalHoldReleased = eventType(
  'legal_hold.released',
  'A legal hold was released.',
  LegalHold,
);

export const legalHoldEvents = [legalHoldPlaced, legalHoldReleased];
