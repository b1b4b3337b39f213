import { Type } from 'typebox';
import { Id } from '../../fields.ts';
import { ContactUpsert } from '../../partner/contacts/contact.ts';
import { upsertContacts } from '../../partner/contacts/upsert/upsert.ts';
import { operation } from '../operation.ts';

export const contactsBulkUpsert = operation({
  kind: 'contacts.bulk_upsert',
  category: 'contacts',
  summary: 'Create or change many contacts by their unique_id',
  notes: 'As contacts.upsert for each; the output is short.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:contacts:write'],
  rateLimitClass: 'bulk',
  input: ContactUpsert,
  output: Type.Object({ id: Id(), unique_id: ContactUpsert.properties.unique_id }),
  async apply({ sql, teamId, principal, keyring }, items) {
    const { clientId } = principal;
    const outcomes = await upsertContacts({ sql, teamId, clientId, keyring }, items);
    return outcomes.map((outcome, at) => {
      if (outcome.status === 'failed') return outcome;
      const { status, id } = outcome;
      const output = { id, unique_id: items[at]?.unique_id ?? '' };
      return { status, resource_type: 'contact', resource_id: id, output };
    });
  },
});
