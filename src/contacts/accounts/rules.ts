import type { Problem } from '../../platform/http/errors.ts';
import { inUtc } from '../../platform/time/rules.ts';
import type { Attributes } from '../contact.ts';
import { attributesProblems, mergeAttributes } from '../rules.ts';
import type { AccountPatch } from './account.ts';

export const maxAccountsPerContact = 200;

export type AccountStatus = 'pending' | 'open' | 'closed';
/** "unopen" stands for clearing opened_at, which no state allows. */
export type AccountAction = 'open' | 'close' | 'reopen' | 'unopen';

const transitions: Readonly<Record<AccountStatus, Partial<Record<AccountAction, AccountStatus>>>> =
  {
    pending: { open: 'open', close: 'closed' },
    open: { close: 'closed' },
    closed: { reopen: 'open' },
  };

/** The stamps that decide the state; RFC 3339 in UTC with milliseconds, so that text compares. */
export interface Stamps {
  opened_at: string | null;
  closed_at: string | null;
}

/** The fields of an account that a client writes. */
export interface AccountContent extends Stamps {
  unique_id: string | null;
  name: string | null;
  kind: 'deposit' | 'loan' | 'credit' | 'investment' | 'other';
  product_id: string | null;
  balance_cents: number | null;
  is_primary: boolean;
  attributes: Attributes;
}

export const blankAccount: AccountContent = {
  unique_id: null,
  name: null,
  kind: 'other',
  product_id: null,
  opened_at: null,
  closed_at: null,
  balance_cents: null,
  is_primary: false,
  attributes: {},
};

/** The account after a body: absent keeps, null clears. */
export function writeAccount(before: AccountContent, body: AccountPatch): AccountContent {
  return {
    unique_id: given(body.unique_id, before.unique_id),
    name: given(body.name, before.name),
    kind: given(body.kind, before.kind),
    product_id: given(
      body.product_id?.toLowerCase(),
      body.product_id === null ? null : before.product_id,
    ),
    opened_at: given(inUtc(body.opened_at), before.opened_at),
    closed_at: given(inUtc(body.closed_at), before.closed_at),
    balance_cents: given(body.balance_cents, before.balance_cents),
    is_primary: given(body.is_primary, before.is_primary),
    attributes: mergeAttributes(before.attributes, body.attributes),
  };
}

export function statusOf({ opened_at, closed_at }: Stamps): AccountStatus {
  if (closed_at !== null) return 'closed';
  return opened_at === null ? 'pending' : 'open';
}

/** Problems of a new account; empty if it may be written. */
export function newAccountProblems(account: AccountContent): Problem[] {
  return [...dateProblems(account), ...attributesProblems(account.attributes)];
}

/** Empty where a contact with so many accounts may get another one. */
export function quotaProblems(count: number): Problem[] {
  if (count < maxAccountsPerContact) return [];
  return [
    {
      code: 'quota_exceeded',
      detail: `A contact has at most ${String(maxAccountsPerContact)} accounts.`,
      meta: { quota: 'accounts_per_contact', limit: maxAccountsPerContact },
    },
  ];
}

/** The account closed, at `now` where no time is given, or what keeps it from that. */
export function closeOf<Account extends AccountContent>(
  before: Account,
  closedAt: string | undefined,
  now: string,
): { content: Account } | { problems: Problem[] } {
  const content = { ...before, closed_at: inUtc(closedAt) ?? now };
  const refused = transitionProblems(before, ['close']);
  const problems = refused.length > 0 ? refused : dateProblems(content);
  return problems.length > 0 ? { problems } : { content };
}

/** Problems of a change. Setting or clearing a timestamp counts as the action that it records. */
export function accountProblems(before: AccountContent, after: AccountContent): Problem[] {
  const refused = transitionProblems(before, actionsBetween(before, after));
  if (refused.length > 0) return refused;
  return newAccountProblems(after);
}

/** Empty where the actions lead on, one after the other, from the state of the account. */
export function transitionProblems(before: Stamps, actions: readonly AccountAction[]): Problem[] {
  let state = statusOf(before);
  for (const action of actions) {
    const next = transitions[state][action];
    if (next === undefined) {
      const allowed_actions = Object.keys(transitions[state]);
      return [
        {
          code: 'invalid_state_transition',
          detail: `The account is ${state}; ${phrases[action]} is not possible.`,
          meta: { resource: 'account', state, action, allowed_actions },
        },
      ];
    }
    state = next;
  }
  return [];
}

const phrases: Readonly<Record<AccountAction, string>> = {
  open: 'opening it',
  close: 'closing it',
  reopen: 'reopening it',
  unopen: 'clearing opened_at',
};

function actionsBetween(before: Stamps, after: Stamps): AccountAction[] {
  const actions: AccountAction[] = [];
  if (before.closed_at !== null && after.closed_at === null) actions.push('reopen');
  // A closed account that gets its opening date is corrected; it does not open.
  const wasClosed = before.closed_at !== null;
  if (!wasClosed && before.opened_at === null && after.opened_at !== null) actions.push('open');
  if (before.opened_at !== null && after.opened_at === null) actions.push('unopen');
  if (before.closed_at === null && after.closed_at !== null) actions.push('close');
  return actions;
}

function dateProblems({ opened_at, closed_at }: Stamps): Problem[] {
  if (closed_at === null || opened_at === null || closed_at >= opened_at) return [];
  return [
    {
      code: 'validation_failed',
      detail: 'closed_at must not lie before opened_at.',
      meta: { pointer: '/closed_at', rule: 'date_order', expected: 'opened_at <= closed_at' },
    },
  ];
}

/** The event of a change: of the state if that changed, else of the rest. */
export function eventOf(
  before: AccountStatus,
  after: AccountStatus,
): 'account.opened' | 'account.closed' | 'account.updated' {
  if (before === 'pending' && after === 'open') return 'account.opened';
  if (before !== 'closed' && after === 'closed') return 'account.closed';
  return 'account.updated';
}

function given<Value>(value: Value | undefined, kept: Value): Value {
  return value === undefined ? kept : value;
}
