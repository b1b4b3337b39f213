import { randomUUID } from 'node:crypto';
import { traceRow } from '../platform/database/transaction-trace.ts';
import { recordEvent } from '../platform/events/record.ts';
import { contactDeleted } from './events.ts';
import { endpoint } from '../platform/http/endpoint.ts';
import { HttpError } from '../platform/http/errors.ts';
import { groupedEndpoint } from '../platform/http/grouped-endpoint.ts';
import { includeLimit, listEndpoint } from '../platform/lists/list-endpoint.ts';
import type { Include } from '../platform/lists/list-endpoint.ts';
import { Account } from './accounts/account.ts';
import { deleteAccountsOf, findAccountsOf } from './accounts/queries.ts';
import { addContacts } from './add.ts';
import {
  Contact,
  ContactCreate,
  ContactDetails,
  ContactPatch,
  contactListFields,
} from './contact.ts';
import { details, detailsOfNew } from './edit.ts';
import { contactsDeleted } from './hooks.ts';
import { awaitHolds, refuseHeld } from './legal-holds/place.ts';
import { patchContact, patchContacts } from './patch.ts';
import { archiveContact, listContactsOf, lockContact, requireContact } from './queries.ts';

const tag = 'Contacts';

const listContacts = (related: Readonly<Record<string, Include>>) =>
  listEndpoint({
    id: 'listContacts',
    path: '/v2/partner/contacts',
    summary: 'List contacts',
    description:
      'Returns the contacts of the team. Archived contacts are left out. Embed accounts or ' +
      'journeys with include, at most 25 of each for one contact.',
    tag,
    scope: 'partner:contacts:read',
    audit: { counted: 'contact.read' },
    item: Contact,
    fields: contactListFields,
    defaultSort: '-inserted_at',
    includes: {
      accounts: {
        scope: 'partner:contacts:read',
        item: Account,
        many: true,
        load(sql, teamId, rows) {
          const contactIds = rows.map(({ id }) => id);
          return findAccountsOf(sql, teamId, contactIds, includeLimit + 1);
        },
      },
      ...related,
    },
    source: ({ teamId }) => listContactsOf(teamId),
  });

export const createContact = groupedEndpoint({
  id: 'createContact',
  method: 'POST',
  path: '/v2/partner/contacts',
  summary: 'Create a contact',
  description:
    'Creates a contact and records the event contact.created. A unique_id that another ' +
    'contact has is refused with 409 and the id of that contact in meta.id. The date of birth ' +
    'is stored encrypted and is shown only to tokens with the scope for sensitive data. ' +
    'Enroll the contact in a template next.',
  errors: ['unique_id_taken'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  bodyExample: {
    unique_id: 'crm-4711',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    tags: ['new-customer'],
  },
  body: ContactCreate,
  status: 201,
  response: ContactDetails,
  location: '/v2/partner/contacts/{id}',
  // The answer may show the date of birth.
  showsSecret: true,
  together: {
    mixesTeams: true,
    async handle({ sql, services: { keyring } }, calls) {
      const requested = calls.map(({ body, teamId, principal, request }) => {
        const id = randomUUID();
        traceRow(sql, id, request.trace.span);
        return { teamId, id, body, principal };
      });
      const added = await addContacts(sql, keyring, requested);
      return added.map(({ requested: { principal }, outcome }) =>
        outcome instanceof HttpError ? outcome : detailsOfNew(outcome, principal, keyring),
      );
    },
  },
});

export const getContact = endpoint({
  id: 'getContact',
  method: 'GET',
  path: '/v2/partner/contacts/{id}',
  keyParams: ['id'],
  summary: 'Get a contact',
  description:
    'Returns one contact by its id, or by unique_id: and the partner’s own key. A contact ' +
    'that was merged or erased answers 410. The date of birth is shown only to tokens with ' +
    'the scope for sensitive data.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: 'partner:contacts:read',
  rateClass: 'read',
  audit: { counted: 'contact.read' },
  response: ContactDetails,
  async handle({ sql, teamId, params, principal, services: { keyring } }) {
    return details(await requireContact(sql, teamId, params.id), principal, keyring);
  },
});

export const updateContact = groupedEndpoint({
  id: 'updateContact',
  method: 'PATCH',
  status: 200,
  path: '/v2/partner/contacts/{id}',
  keyParams: ['id'],
  summary: 'Update a contact',
  description:
    'Changes the fields that the body names. A field that is absent stays as it is, and null ' +
    'clears an optional field. A change records the event contact.updated; a body that ' +
    'changes nothing records nothing. Send If-Match to refuse the change when somebody else ' +
    'was faster.',
  errors: ['resource_erased', 'contact_merged', 'unique_id_taken'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  body: ContactPatch,
  response: ContactDetails,
  showsSecret: true,
  async handle(call) {
    return details(await patchContact(call, call), call.principal, call.services.keyring);
  },
  together: {
    usesSavepoints: true,
    async handle(shared, calls) {
      const { keyring } = shared.services;
      const patched = await patchContacts(shared, calls);
      return patched.map(({ call: { principal }, outcome }) =>
        outcome instanceof HttpError ? outcome : details(outcome, principal, keyring),
      );
    },
  },
});

export const deleteContact = endpoint({
  id: 'deleteContact',
  method: 'DELETE',
  path: '/v2/partner/contacts/{id}',
  keyParams: ['id'],
  summary: 'Archive a contact: its accounts are removed, its journeys end',
  description:
    'Archives a contact and records the event contact.deleted. Its accounts are removed and ' +
    'its open journeys end, which cannot be undone. The record stays for reports. Use the ' +
    'operation eraseContact where the person demands erasure. While a legal hold stands on the ' +
    'contact or the team, it is refused with 409.',
  errors: ['resource_erased', 'contact_merged', 'legal_hold'],
  tag,
  scope: 'partner:contacts:delete',
  rateClass: 'write',
  audit: 'contact.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    await awaitHolds(sql, teamId);
    const before = await lockContact(sql, teamId, params.id);
    checkPrecondition(before);
    const { id } = before;
    await refuseHeld(sql, teamId, [id]);
    await deleteAccountsOf(sql, teamId, id);
    await contactsDeleted(sql, teamId, [id]);
    const contact = await archiveContact(sql, teamId, id);
    recordEvent(sql, {
      teamId,
      type: contactDeleted,
      data: contact,
      sequence: contact.lock_version,
    });
    return undefined;
  },
});

/** `related`: what capabilities above embed in the list of contacts. */
export const contactEndpoints = (related: Readonly<Record<string, Include>>) => [
  listContacts(related),
  createContact,
  getContact,
  updateContact,
  deleteContact,
];
