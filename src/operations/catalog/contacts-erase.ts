import { Type } from 'typebox';
import { ContactErasure } from '../../contacts/contact-erasures/contact-erasure.ts';
import { eraseContact } from '../../contacts/contact-erasures/erase.ts';
import { fail } from '../../platform/http/errors.ts';
import { contactReference } from '../../contacts/lookup/contact-reference.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const contactsErase = operation({
  kind: 'contacts.erase',
  category: 'privacy',
  summary: 'Erase contacts, active or archived, and all copies of their data; cannot be undone',
  notes: 'Puts out the erasure, which is completed when no copy is left. Twice changes nothing.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 10,
  executionMode: 'async',
  scopes: ['partner:contacts:delete'],
  outputScope: 'partner:contacts:read',
  rateLimitClass: 'bulk',
  audit: { byHandler: 'contact.erased' },
  input: Type.Object({ ...contactReference }, { additionalProperties: false }),
  output: ContactErasure,
  apply: oneByOne(async (call, { contact_id: id, contact_unique_id: key }) => {
    if ((id === undefined) === (key === undefined)) {
      throw fail('validation_failed', {
        detail: 'Send one of contact_id and contact_unique_id.',
        meta: { pointer: '/contact_id', rule: id === undefined ? 'required' : 'exclusive' },
      });
    }
    const { erasure, isNew } = await eraseContact(call, id ?? `unique_id:${key ?? ''}`);
    return { status: isNew ? 'updated' : 'unchanged', row: erasure };
  }),
});
