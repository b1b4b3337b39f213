import { changedFields, recordEvent } from '../../events/record.ts';
import { endpoint } from '../../http/endpoint.ts';
import { fail, failAll } from '../../http/errors.ts';
import type { Problem } from '../../http/errors.ts';
import type { Sql } from '../../database/client.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import type { Include } from '../../listing/list-endpoint.ts';
import { loadBy } from '../../listing/related.ts';
import { Contact } from '../contacts/contact.ts';
import { findContacts, lockContact, requireContact } from '../contacts/queries.ts';
import { recordSystemEvent } from '../engagement-events/record.ts';
import { completeByAccount } from '../objectives/completions/record.ts';
import {
  Account,
  AccountClose,
  AccountCreate,
  AccountPatch,
  accountListFields,
} from './account.ts';
import {
  countAccountsOf,
  deleteAccountRow,
  insertAccount,
  listAccountsOf,
  lockAccount,
  requireAccount,
  updateAccountRow,
} from './queries.ts';
import type { AccountRow } from './queries.ts';
import {
  accountProblems,
  blankAccount,
  dateProblems,
  eventOf,
  inUtc,
  maxAccountsPerContact,
  newAccountProblems,
  statusOf,
  transitionProblems,
  writeAccount,
} from './rules.ts';
import type { AccountContent } from './rules.ts';

const tag = 'Accounts';
/** What an account that is created open or closed was before that. */
const unopened = { status: 'pending', opened_at: null, closed_at: null } as const;

const contactOfAccount: Include = {
  scope: 'partner:contacts:read',
  item: Contact,
  many: false,
  load: loadBy('contact_id', findContacts),
};

export const listAccounts = listEndpoint({
  id: 'listAccounts',
  path: '/v2/partner/accounts',
  summary: 'List accounts',
  tag,
  scope: 'partner:contacts:read',
  item: Account,
  fields: accountListFields,
  defaultSort: '-inserted_at',
  includes: { contact: contactOfAccount },
  source: ({ teamId }) => listAccountsOf(teamId),
});

export const listContactAccounts = listEndpoint({
  id: 'listContactAccounts',
  path: '/v2/partner/contacts/{id}/accounts',
  keyParams: ['id'],
  summary: 'List the accounts of a contact',
  tag,
  scope: 'partner:contacts:read',
  item: Account,
  fields: accountListFields,
  defaultSort: '-inserted_at',
  includes: { contact: contactOfAccount },
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
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  body: AccountCreate,
  status: 201,
  response: Account,
  location: '/v2/partner/accounts/{id}',
  async handle({ sql, teamId, params, body }) {
    // Locked, so that parallel requests cannot pass the limit together.
    const contact = await lockContact(sql, teamId, params.id);
    const content = writeAccount(blankAccount, body);
    refuse(newAccountProblems(content));
    if ((await countAccountsOf(sql, teamId, contact.id)) >= maxAccountsPerContact) {
      throw fail('quota_exceeded', {
        detail: `A contact has at most ${String(maxAccountsPerContact)} accounts.`,
        meta: { quota: 'accounts_per_contact', limit: maxAccountsPerContact },
      });
    }
    const isPending = statusOf(content) === 'pending';
    const place = { teamId, contactId: contact.id };
    const account = await insertAccount(sql, place, content, isPending ? 1 : 2);
    recordEvent(sql, { teamId, type: 'account.created', data: account, sequence: 1 });
    if (!isPending) await recordChange(sql, { ...account, ...unopened }, account);
    return account;
  },
});

export const getAccount = endpoint({
  id: 'getAccount',
  method: 'GET',
  path: '/v2/partner/accounts/{id}',
  summary: 'Get an account',
  tag,
  scope: 'partner:contacts:read',
  rateClass: 'read',
  response: Account,
  handle: ({ sql, teamId, params }) => requireAccount(sql, teamId, params.id),
});

export const updateAccount = endpoint({
  id: 'updateAccount',
  method: 'PATCH',
  path: '/v2/partner/accounts/{id}',
  summary: 'Change an account; opened_at and closed_at open, close and reopen it',
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  body: AccountPatch,
  response: Account,
  async handle({ sql, teamId, params, body, checkPrecondition }) {
    const before = await lockAccount(sql, teamId, params.id);
    checkPrecondition(before);
    const content = writeAccount(before, body);
    refuse(accountProblems(before, content));
    return change(sql, before, content);
  },
});

export const deleteAccount = endpoint({
  id: 'deleteAccount',
  method: 'DELETE',
  path: '/v2/partner/accounts/{id}',
  summary: 'Delete an account',
  tag,
  scope: 'partner:contacts:delete',
  rateClass: 'write',
  async handle({ sql, teamId, params, checkPrecondition }) {
    checkPrecondition(await lockAccount(sql, teamId, params.id));
    await deleteAccountRow(sql, teamId, params.id);
    return undefined;
  },
});

export const closeAccount = endpoint({
  id: 'closeAccount',
  method: 'POST',
  path: '/v2/partner/accounts/{id}/close',
  summary: 'Close an open account',
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'execute',
  body: AccountClose,
  bodyOptional: true,
  response: Account,
  async handle({ sql, teamId, params, body, checkPrecondition }) {
    const before = await lockAccount(sql, teamId, params.id);
    checkPrecondition(before);
    refuse(transitionProblems(before, ['close']));
    const closed_at = inUtc(body.closed_at) ?? new Date().toISOString();
    const content = { ...before, closed_at };
    refuse(dateProblems(content));
    return change(sql, before, content);
  },
});

export const reopenAccount = endpoint({
  id: 'reopenAccount',
  method: 'POST',
  path: '/v2/partner/accounts/{id}/reopen',
  summary: 'Reopen a closed account',
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'execute',
  response: Account,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const before = await lockAccount(sql, teamId, params.id);
    checkPrecondition(before);
    refuse(transitionProblems(before, ['reopen']));
    return change(sql, before, { ...before, closed_at: null });
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

/** Writes what differs and tells of it; nothing where nothing differs. */
async function change(sql: Sql, before: AccountRow, content: AccountContent): Promise<AccountRow> {
  if (!changedFields(Account, before, { ...before, ...content })) return before;
  const after = await updateAccountRow(sql, before, content);
  await recordChange(sql, before, after);
  return after;
}

async function recordChange(sql: Sql, before: AccountRow, after: AccountRow): Promise<void> {
  const { id, team_id: teamId, contact_id, opened_at, closed_at } = after;
  const type = eventOf(before.status, after.status);
  recordEvent(sql, {
    teamId,
    type,
    data: after,
    sequence: after.lock_version,
    previous: changedFields(Account, before, after) ?? {},
  });
  if (type === 'account.updated') return;
  const now = new Date().toISOString();
  const at = (type === 'account.opened' ? opened_at : closed_at) ?? now;
  // Stamps that lie ahead are told as of now.
  const occurred_at = at < now ? at : now;
  await recordSystemEvent(sql, teamId, { kind: type, contact_id, account_id: id, occurred_at });
  if (before.opened_at === null) await completeByAccount(sql, after);
}
