import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { ContactDetails } from '../contact.ts';
import { consentChannels } from '../rules.ts';
import { changeContact, details } from '../edit.ts';
import { lockContact, requireContact } from '../queries.ts';
import { ConsentChange, ConsentWritten } from './consent-change.ts';
import { consentChangeSource } from './queries.ts';

const tag = 'Contacts';

export const setContactConsent = endpoint({
  id: 'setContactConsent',
  method: 'PUT',
  path: '/v2/partner/contacts/{id}/consents/{channel}',
  keyParams: ['id'],
  textParams: ['channel'],
  summary: 'Record the consent of a contact for one channel: email, sms or push',
  description:
    'Records the consent of a contact for one channel: email, sms or push. It replaces the ' +
    'consent of this channel and leaves the others as they are. Each change is kept with its ' +
    'source and evidence. Messages of marketing are sent only while the consent is ' +
    'subscribed.',
  errors: ['resource_erased', 'contact_merged', 'precondition_failed'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  body: ConsentWritten,
  response: ContactDetails,
  showsSecret: true,
  async handle({ sql, teamId, principal, params, body, checkPrecondition, services: { keyring } }) {
    const channel = consentChannels.find((name) => name === params.channel);
    if (!channel) {
      throw fail('not_found', {
        detail: `There is no such channel; there are ${consentChannels.join(', ')}.`,
        meta: { resource: 'contact_consent' },
      });
    }
    const before = await lockContact(sql, teamId, params.id);
    checkPrecondition(before);
    const patch = { consents: { [channel]: body } };
    const after = await changeContact(sql, before, patch, principal, keyring);
    return details(after, principal, keyring);
  },
});

export const listContactConsentChanges = listEndpoint({
  id: 'listContactConsentChanges',
  path: '/v2/partner/contacts/{id}/consent-changes',
  keyParams: ['id'],
  summary: 'List the consent changes of a contact, with their evidence',
  description:
    'Returns every recorded change of the consents of a contact with its source and evidence, ' +
    'the latest first.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: 'partner:contacts:read',
  item: ConsentChange,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    channel: { type: 'enum', values: consentChannels, filter: true },
  },
  defaultSort: '-inserted_at',
  async source({ sql, teamId, params: { id = '' } }) {
    const contact = await requireContact(sql, teamId, id);
    return consentChangeSource(teamId, contact.id);
  },
});

export const contactConsentEndpoints = [setContactConsent, listContactConsentChanges];
