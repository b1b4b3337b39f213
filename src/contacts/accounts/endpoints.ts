import { endpoint } from '../../platform/http/endpoint.ts';
import { failAll } from '../../platform/http/errors.ts';
import { groupedEndpoint } from '../../platform/http/grouped-endpoint.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { awaitHolds, refuseHeld } from '../legal-holds/place.ts';
import { contactInclude } from '../include.ts';
import { lockContact, requireContact } from '../queries.ts';
import {
  Account,
  AccountClose,
  AccountCreate,
  AccountPatch,
  accountListFields,
} from './account.ts';
import { changeAccount, firstVersionOf, publishAccounts } from './edit.ts';
import { patchAccount, patchAccounts } from './patch.ts';
import {
  countAccountsOf,
  deleteAccountRow,
  insertAccount,
  listAccountsOf,
  lockAccount,
  requireAccount,
} from './queries.ts';
import {
  blankAccount,
  closeOf,
  newAccountProblems,
  quotaProblems,
  transitionProblems,
  writeAccount,
} from './rules.ts';

const tag = 'Accounts';

export const listAccounts = listEndpoint({
  id: 'listAccounts',
  path: '/v2/partner/accounts',
  summary: 'List accounts',
  description:
    'Returns the accounts of all contacts of the team. Sort by balance_cents, opened_at or ' +
    'closed_at; the status follows from the two times. Filter by contact_id, unique_id, kind ' +
    'or product_id.',
  tag,
  scope: 'partner:contacts:read',
  audit: { counted: 'account.read' },
  item: Account,
  fields: accountListFields,
  defaultSort: '-inserted_at',
  includes: { contact: contactInclude },
  source: ({ teamId }) => listAccountsOf(teamId),
});

export const listContactAccounts = listEndpoint({
  id: 'listContactAccounts',
  path: '/v2/partner/contacts/{id}/accounts',
  keyParams: ['id'],
  summary: 'List the accounts of a contact',
  description:
    'Returns the accounts of one contact. The status of each follows from opened_at and ' +
    'closed_at. Closed ones are among them.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: 'partner:contacts:read',
  audit: { counted: 'account.read' },
  item: Account,
  fields: accountListFields,
  defaultSort: '-inserted_at',
  includes: { contact: contactInclude },
  async source({ sql, teamId, params: { id = '' } }) {
    const contact = await requireContact(sql, teamId, id);
    return listAccountsOf(teamId, contact.id);
  },
});

export const createContactAccount = endpoint({
  id: 'createContactAccount',
  method: 'POST',
  path: '/v2/partner/contacts/{id}/accounts',
  keyParams: ['id'],
  summary: 'Create an account of a contact',
  description:
    'Creates an account of a contact and records the event account.created, and ' +
    'account.opened where opened_at is given. A unique_id that another account has is ' +
    'refused. A contact has at most 200 accounts.',
  errors: ['resource_erased', 'contact_merged', 'quota_exceeded', 'unique_id_taken'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  body: AccountCreate,
  status: 201,
  response: Account,
  location: '/v2/partner/accounts/{id}',
  async handle({ sql, teamId, params, body }) {
    // Locked, so that parallel requests cannot pass the limit together.
    const contact = await lockContact(sql, teamId, params.id);
    const content = writeAccount(blankAccount, body);
    refuse(newAccountProblems(content));
    refuse(quotaProblems(await countAccountsOf(sql, teamId, contact.id)));
    const place = { teamId, contactId: contact.id };
    const account = await insertAccount(sql, place, content, firstVersionOf(content));
    await publishAccounts(sql, teamId, { created: [account], changed: [] });
    return account;
  },
});

export const getAccount = endpoint({
  id: 'getAccount',
  method: 'GET',
  path: '/v2/partner/accounts/{id}',
  summary: 'Get an account',
  description:
    'Returns one account. The balance is in cents of the currency of the account. The status ' +
    'follows from opened_at and closed_at.',
  tag,
  scope: 'partner:contacts:read',
  rateClass: 'read',
  audit: { counted: 'account.read' },
  response: Account,
  handle: ({ sql, teamId, params }) => requireAccount(sql, teamId, params.id),
});

export const updateAccount = groupedEndpoint({
  id: 'updateAccount',
  method: 'PATCH',
  status: 200,
  path: '/v2/partner/accounts/{id}',
  summary: 'Update an account; opened_at and closed_at open, close and reopen it',
  description:
    'Changes the fields that the body names. Setting opened_at opens the account, setting ' +
    'closed_at closes it, and null in closed_at reopens it. The matching events are recorded. ' +
    'Send If-Match to refuse the change if another client changed it first.',
  errors: ['invalid_state_transition', 'unique_id_taken'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  body: AccountPatch,
  response: Account,
  handle: (call) => patchAccount(call, call),
  together: { usesSavepoints: true, handle: patchAccounts },
});

export const deleteAccount = endpoint({
  id: 'deleteAccount',
  method: 'DELETE',
  path: '/v2/partner/accounts/{id}',
  summary: 'Delete an account',
  description:
    'Deletes an account permanently. No event is recorded. Close an account instead where its ' +
    'history matters. While a legal hold stands on its contact or the team, it is refused ' +
    'with 409.',
  errors: ['legal_hold'],
  tag,
  scope: 'partner:contacts:delete',
  rateClass: 'write',
  audit: 'account.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    await awaitHolds(sql, teamId);
    const account = await lockAccount(sql, teamId, params.id);
    checkPrecondition(account);
    await refuseHeld(sql, teamId, [account.contact_id]);
    await deleteAccountRow(sql, teamId, params.id);
    return undefined;
  },
});

export const closeAccount = endpoint({
  id: 'closeAccount',
  method: 'POST',
  path: '/v2/partner/accounts/{id}/close',
  summary: 'Close an open account',
  description:
    'Closes an open account and records the event account.closed. The time is now unless ' +
    'closed_at says otherwise. An account that is not open is refused with 409.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'execute',
  audit: { none: 'contact_data' },
  body: AccountClose,
  bodyOptional: true,
  response: Account,
  async handle({ sql, teamId, params, body, checkPrecondition }) {
    const before = await lockAccount(sql, teamId, params.id);
    checkPrecondition(before);
    const closing = closeOf(before, body.closed_at, new Date().toISOString());
    if ('problems' in closing) throw failAll(closing.problems);
    return changeAccount(sql, before, closing.content);
  },
});

export const reopenAccount = endpoint({
  id: 'reopenAccount',
  method: 'POST',
  path: '/v2/partner/accounts/{id}/reopen',
  summary: 'Reopen a closed account',
  description:
    'Reopens a closed account and records the event account.updated. An account that is not ' +
    'closed is refused with 409. The time at which it was opened stays as it was.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'execute',
  audit: { none: 'contact_data' },
  response: Account,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const before = await lockAccount(sql, teamId, params.id);
    checkPrecondition(before);
    refuse(transitionProblems(before, ['reopen']));
    return changeAccount(sql, before, { ...before, closed_at: null });
  },
});

export const accountEndpoints = [
  listAccounts,
  listContactAccounts,
  createContactAccount,
  getAccount,
  updateAccount,
  deleteAccount,
  closeAccount,
  reopenAccount,
];

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw failAll(problems);
}
