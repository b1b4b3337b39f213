import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { ContactDetails } from '../contact.ts';
import { details } from '../edit.ts';
import { mergeContacts } from './merge.ts';

export const mergeContact = endpoint({
  id: 'mergeContact',
  method: 'POST',
  path: '/v2/partner/contacts/{id}/merge',
  keyParams: ['id'],
  summary: 'Merge another contact into this one, which keeps the data of both',
  description:
    'Merges another contact into the contact of the path, which then has the accounts, ' +
    'journeys and history of both. The source contact is archived and answers 410 with the id ' +
    'of the target. A merge cannot be undone. It records the event contact.merged.',
  errors: ['resource_erased', 'contact_merged', 'quota_exceeded'],
  tag: 'Contacts',
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: { byHandler: 'contact.merged' },
  body: Type.Object(
    { source_contact_id: Id('The contact that goes; it answers 410 from then on') },
    { additionalProperties: false },
  ),
  response: ContactDetails,
  showsSecret: true,
  async handle({ sql, teamId, params, principal, body, request, services: { keyring } }) {
    const after = await mergeContacts(
      { sql, teamId, principal, keyring, trace: request.trace },
      params.id,
      { reference: body.source_contact_id, pointer: '/source_contact_id' },
    );
    return details(after, principal, keyring);
  },
});

export const contactMergeEndpoints = [mergeContact];
