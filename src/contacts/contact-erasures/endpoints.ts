import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { ContactErasure } from './contact-erasure.ts';
import { eraseContact } from './erase.ts';
import { requireErasure } from './queries.ts';
import type { ErasureRow } from './queries.ts';

const tag = 'Contacts';
const path = '/v2/partner/contact-erasures';

export const eraseContactEndpoint = endpoint({
  id: 'eraseContact',
  method: 'POST',
  path: '/v2/partner/contacts/{id}/erase',
  keyParams: ['id'],
  summary: 'Erase a contact, active or archived, and all copies of its data; cannot be undone',
  description:
    'Erases a contact and every copy of its personal data, also where the contact is ' +
    'archived. It cannot be undone, and is refused with 409 legal_hold while a legal hold stands ' +
    'on the contact or the team. The first step happens within the request, and the rest ' +
    'continues in the background. Poll the erasure in Location until its status is completed. ' +
    'A repeat returns the same erasure.',
  errors: ['resource_erased', 'contact_merged', 'legal_hold'],
  tag,
  scope: 'partner:contacts:delete',
  rateClass: 'write',
  audit: { byHandler: 'contact.erased' },
  status: 202,
  response: ContactErasure,
  answerHeaders: ['Retry-After'],
  location: `${path}/{id}`,
  async handle({ sql, teamId, params, principal, request, services: { keyring } }) {
    const call = { sql, teamId, principal, keyring, trace: request.trace };
    const { erasure } = await eraseContact(call, params.id);
    return new Answer(erasure, pollHeaders(erasure));
  },
});

export const getContactErasure = endpoint({
  id: 'getContactErasure',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an erasure and its progress',
  description:
    'Returns an erasure and its progress. The status is completed once no copy of the data is ' +
    'left. Until then the answer carries Retry-After.',
  tag,
  scope: 'partner:contacts:read',
  rateClass: 'read',
  response: ContactErasure,
  answerHeaders: ['Retry-After'],
  async handle({ sql, teamId, params }) {
    const erasure = await requireErasure(sql, teamId, params.id);
    return new Answer(erasure, pollHeaders(erasure));
  },
});

export const contactErasureEndpoints = [eraseContactEndpoint, getContactErasure];

function pollHeaders({ status }: ErasureRow): { headers?: Record<string, string> } {
  return status === 'completed' ? {} : { headers: { 'Retry-After': '5' } };
}
