import { randomUUID } from 'node:crypto';
import type { Keyring } from '../../auth/keyring.ts';
import type { Principal } from '../../auth/principal.ts';
import { changedFields, recordEvent } from '../../events/record.ts';
import { endpoint } from '../../http/endpoint.ts';
import { failAll } from '../../http/errors.ts';
import type { Problem } from '../../http/errors.ts';
import { includeLimit, listEndpoint } from '../../listing/list-endpoint.ts';
import { Account } from '../accounts/account.ts';
import { deleteAccountsOf, findAccountsOf } from '../accounts/queries.ts';
import {
  Contact,
  ContactCreate,
  ContactDetails,
  ContactPatch,
  contactListFields,
} from './contact.ts';
import {
  archiveContact,
  insertContact,
  listContactsOf,
  lockContact,
  requireContact,
  updateContactRow,
} from './queries.ts';
import type { ContactRow } from './queries.ts';
import { blankContact, contactProblems, writeContact } from './rules.ts';

const tag = 'Contacts';

export const listContacts = listEndpoint({
  id: 'listContacts',
  path: '/v2/partner/contacts',
  summary: 'List contacts',
  tag,
  scope: 'partner:contacts:read',
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
  },
  source: ({ teamId }) => listContactsOf(teamId),
});

export const createContact = endpoint({
  id: 'createContact',
  method: 'POST',
  path: '/v2/partner/contacts',
  summary: 'Create a contact',
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  body: ContactCreate,
  status: 201,
  response: ContactDetails,
  location: '/v2/partner/contacts/{id}',
  // The answer may show the date of birth.
  showsSecret: true,
  async handle({ sql, teamId, principal, body, services: { keyring } }) {
    const id = randomUUID();
    const content = writeContact(blankContact, body, new Date().toISOString());
    refuse(contactProblems(blankContact, content));
    const sealed_date_of_birth = seal(keyring, { team_id: teamId, id }, body.date_of_birth ?? null);
    const contact = await insertContact(sql, teamId, id, { ...content, sealed_date_of_birth });
    await recordEvent(sql, {
      teamId,
      type: 'contact.created',
      data: contact,
      sequence: contact.lock_version,
    });
    return details(contact, principal, keyring);
  },
});

export const getContact = endpoint({
  id: 'getContact',
  method: 'GET',
  path: '/v2/partner/contacts/{id}',
  summary: 'Get a contact',
  tag,
  scope: 'partner:contacts:read',
  rateClass: 'read',
  response: ContactDetails,
  async handle({ sql, teamId, params, principal, services: { keyring } }) {
    return details(await requireContact(sql, teamId, params.id), principal, keyring);
  },
});

export const updateContact = endpoint({
  id: 'updateContact',
  method: 'PATCH',
  path: '/v2/partner/contacts/{id}',
  summary: 'Change a contact',
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  body: ContactPatch,
  response: ContactDetails,
  showsSecret: true,
  async handle({ sql, teamId, params, principal, body, checkPrecondition, services: { keyring } }) {
    const before = await lockContact(sql, teamId, params.id);
    checkPrecondition(before);
    const content = writeContact(before, body, new Date().toISOString());
    refuse(contactProblems(before, content));
    const birthDate = openBirthDate(before, keyring);
    const isBirthDateKept = body.date_of_birth === undefined || body.date_of_birth === birthDate;
    if (isBirthDateKept && !changedFields(Contact, before, { ...before, ...content })) {
      return details(before, principal, keyring);
    }
    const sealed_date_of_birth = isBirthDateKept
      ? before.sealed_date_of_birth
      : seal(keyring, before, body.date_of_birth ?? null);
    const after = await updateContactRow(sql, teamId, before.id, {
      ...content,
      sealed_date_of_birth,
    });
    await recordEvent(sql, {
      teamId,
      type: 'contact.updated',
      data: after,
      sequence: after.lock_version,
      previous: changedFields(Contact, before, after) ?? {},
    });
    return details(after, principal, keyring);
  },
});

export const deleteContact = endpoint({
  id: 'deleteContact',
  method: 'DELETE',
  path: '/v2/partner/contacts/{id}',
  summary: 'Archive a contact and remove its accounts',
  tag,
  scope: 'partner:contacts:delete',
  rateClass: 'write',
  async handle({ sql, teamId, params, checkPrecondition }) {
    checkPrecondition(await lockContact(sql, teamId, params.id));
    await deleteAccountsOf(sql, teamId, params.id);
    const contact = await archiveContact(sql, teamId, params.id);
    await recordEvent(sql, {
      teamId,
      type: 'contact.deleted',
      data: contact,
      sequence: contact.lock_version,
    });
    return undefined;
  },
});

export const contactEndpoints = [
  listContacts,
  createContact,
  getContact,
  updateContact,
  deleteContact,
];

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw failAll(problems);
}

/** The contact as an answer to this caller, with its date of birth if the token may read it. */
function details(contact: ContactRow, { scopes }: Principal, keyring: Keyring) {
  if (!scopes.has('partner:contacts_sensitive:read')) return contact;
  return { ...contact, date_of_birth: openBirthDate(contact, keyring) };
}

type Place = Pick<ContactRow, 'team_id' | 'id'>;

const placeOf = ({ team_id, id }: Place) => ['contacts', 'date_of_birth', team_id, id];

function seal(keyring: Keyring, contact: Place, birthDate: string | null): string | null {
  return birthDate === null ? null : keyring.seal(birthDate, placeOf(contact));
}

function openBirthDate(contact: ContactRow, keyring: Keyring): string | null {
  const { sealed_date_of_birth: sealed } = contact;
  return sealed === null ? null : keyring.open(sealed, placeOf(contact));
}
