import { endpoint } from '../../platform/http/endpoint.ts';
import { lockContact } from '../queries.ts';
import { forgetGuesses } from './queries.ts';

export const resetContactIdentityLock = endpoint({
  id: 'resetContactIdentityLock',
  method: 'DELETE',
  path: '/v2/partner/contacts/{id}/identity-lock',
  keyParams: ['id'],
  summary: 'Reset the identity lock of a contact: removes every lock and clears the failure counts',
  description:
    'Ends every lock that wrong answers to identity challenges have set for a contact, and ' +
    'resets the counts. The contact may answer again immediately. Make sure by other means ' +
    'that the person is the contact. The change is recorded in the audit trail.',
  errors: ['resource_erased', 'contact_merged', 'precondition_failed'],
  tag: 'Contacts',
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: 'contact.identity_lock_reset',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const contact = await lockContact(sql, teamId, params.id);
    checkPrecondition(contact);
    await forgetGuesses(sql, teamId, contact.id);
    return undefined;
  },
});

export const contactIdentityLockEndpoints = [resetContactIdentityLock];
