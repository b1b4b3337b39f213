import { Type } from 'typebox';
import { Contact, ContactUpsert } from '../../contacts/contact.ts';
import { findContacts } from '../../contacts/queries.ts';
import { upsertContacts } from '../../contacts/upsert/upsert.ts';
import { completedObjectives, withObjectives } from '../contact-objectives.ts';
import { operation } from '../operation-type.ts';

export const contactsUpsert = operation({
  kind: 'contacts.upsert',
  category: 'contacts',
  summary: 'Create a contact, or update the one with this unique_id',
  notes: 'Absent fields stay as they are, null clears; consents and attributes merge by key.',
  idempotencyMode: 'natural',
  failureMode: 'transactional',
  executionMode: 'sync',
  scopes: ['partner:contacts:write'],
  outputScope: 'partner:contacts:read',
  rateLimitClass: 'write',
  audit: { none: 'contact_data' },
  input: Type.Object(
    { ...ContactUpsert.properties, ...completedObjectives },
    { additionalProperties: false },
  ),
  output: Contact,
  async apply(call, items) {
    const { sql, teamId } = call;
    const { clientId, scopes } = call.principal;
    const outcomes = await withObjectives(call, items, (bodies) =>
      upsertContacts({ ...call, clientId, scopes }, bodies),
    );
    const ids = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [] : [outcome.id]));
    const rows = new Map((await findContacts(sql, teamId, ids)).map((row) => [row.id, row]));
    return outcomes.map((outcome) => {
      if (outcome.status === 'failed') return outcome;
      const output = rows.get(outcome.id);
      const { status, id } = outcome;
      return { status, resource_type: 'contact', resource_id: id, ...(output && { output }) };
    });
  },
});
