import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { ContactUpsert } from '../../contacts/contact.ts';
import { upsertContacts } from '../../contacts/upsert/upsert.ts';
import { completedObjectives, withObjectives } from '../contact-objectives.ts';
import { operation } from '../operation-type.ts';

export const contactsBulkUpsert = operation({
  kind: 'contacts.bulk_upsert',
  category: 'contacts',
  summary: 'Create or update many contacts by their unique_id',
  notes: 'As contacts.upsert for each; the output is short.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:contacts:write'],
  outputScope: 'partner:contacts:read',
  rateLimitClass: 'bulk',
  audit: { none: 'contact_data' },
  input: Type.Object(
    { ...ContactUpsert.properties, ...completedObjectives },
    { additionalProperties: false },
  ),
  output: Type.Object({ id: Id(), unique_id: ContactUpsert.properties.unique_id }),
  async apply(call, items) {
    const { clientId, scopes } = call.principal;
    const outcomes = await withObjectives(call, items, (bodies) =>
      upsertContacts({ ...call, clientId, scopes }, bodies),
    );
    return outcomes.map((outcome, at) => {
      if (outcome.status === 'failed') return outcome;
      const { status, id } = outcome;
      const output = { id, unique_id: items[at]?.unique_id ?? '' };
      return { status, resource_type: 'contact', resource_id: id, output };
    });
  },
});
