import { Type } from 'typebox';
import { OneOf } from '../../platform/schema/fields.ts';
import { ConsentWritten } from '../../contacts/consents/consent-change.ts';
import { Contact } from '../../contacts/contact.ts';
import { consentChannels } from '../../contacts/rules.ts';
import { findContacts } from '../../contacts/queries.ts';
import { changeContacts } from '../../contacts/upsert/upsert.ts';
import { contactReference, findReferred } from '../../contacts/lookup/contact-reference.ts';
import { withUnreferred } from '../unreferred.ts';
import { operation, outcomeOf } from '../operation-type.ts';

export const contactsSetConsent = operation({
  kind: 'contacts.set_consent',
  category: 'contacts',
  summary: 'Record the consent of a contact for one channel',
  notes: 'Kept as proof with its source; what is recorded already changes nothing.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:contacts:write'],
  outputScope: 'partner:contacts:read',
  rateLimitClass: 'write',
  audit: { none: 'contact_data' },
  input: Type.Object(
    { ...contactReference, channel: OneOf(consentChannels), ...ConsentWritten.properties },
    { additionalProperties: false },
  ),
  output: Contact,
  async apply({ sql, teamId, principal, keyring }, items) {
    const referred = await findReferred(sql, teamId, items, { isLocked: true });
    const changes = items.flatMap(({ channel, status, source, evidence }, at) => {
      const found = referred[at];
      if (!found || 'problems' in found) return [];
      const consent = { status, source, ...(evidence !== undefined && { evidence }) };
      return [{ contact: found.contact, body: { consents: { [channel]: consent } } }];
    });
    const { clientId } = principal;
    const changed = await changeContacts({ sql, teamId, clientId, keyring }, changes);
    const ids = changes.map(({ contact }) => contact.id);
    const rows = new Map((await findContacts(sql, teamId, ids)).map((row) => [row.id, row]));
    const outcomes = changed.map((outcome) => {
      if (outcome.status === 'failed') return outcome;
      const row = rows.get(outcome.id);
      if (!row) throw new Error('a contact that is locked is gone');
      return outcomeOf(outcome.status, row);
    });
    return withUnreferred(referred, outcomes);
  },
});
