import { Type } from 'typebox';
import { Id, Text } from '../../platform/schema/fields.ts';
import { fail } from '../../platform/http/errors.ts';
import { Contact } from '../../contacts/contact.ts';
import { mergeContacts } from '../../contacts/merge/merge.ts';
import { contactReference } from '../../contacts/lookup/contact-reference.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const contactsMerge = operation({
  kind: 'contacts.merge',
  category: 'contacts',
  summary: 'Merge a contact into another one, which keeps the data of both',
  notes: 'The source is archived, answers 410, and its key goes on naming the one that stays.',
  idempotencyMode: 'keyed',
  failureMode: 'transactional',
  executionMode: 'sync',
  scopes: ['partner:contacts:write'],
  outputScope: 'partner:contacts:read',
  rateLimitClass: 'write',
  audit: { byHandler: 'contact.merged' },
  input: Type.Object(
    {
      ...contactReference,
      source_contact_id: Type.Optional(Id('This or source_contact_unique_id')),
      source_contact_unique_id: Type.Optional(Text(255, 'The partner’s own key of the source')),
    },
    { additionalProperties: false },
  ),
  output: Contact,
  apply: oneByOne(async (call, item) => {
    const { contact_id, contact_unique_id, source_contact_id, source_contact_unique_id } = item;
    const winner = referenceOf('contact', contact_id, contact_unique_id);
    const source = referenceOf('source_contact', source_contact_id, source_contact_unique_id);
    const row = await mergeContacts(call, winner.reference, source);
    return { status: 'updated', row };
  }),
});

/** One of the two ways to name a contact; throws 422 for none and for both. */
function referenceOf(name: string, id: string | undefined, key: string | undefined) {
  if (id !== undefined && key === undefined) {
    return { reference: id.toLowerCase(), pointer: `/${name}_id` };
  }
  if (key !== undefined && id === undefined) {
    return { reference: `unique_id:${key}`, pointer: `/${name}_unique_id` };
  }
  const rule = id === undefined ? 'required' : 'exclusive';
  throw fail('validation_failed', {
    detail: `Send one of ${name}_id and ${name}_unique_id.`,
    meta: { pointer: `/${name}_id`, rule },
  });
}
