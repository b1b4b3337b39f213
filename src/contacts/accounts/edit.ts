import type { Sql } from '../../platform/database/sql.ts';
import { byName } from '../../platform/events/event-type.ts';
import { changedFields, recordEvents, subscribedTypes } from '../../platform/events/record.ts';
import { accountCreated, accountEvents } from '../events.ts';
import { accountsChanged } from '../hooks.ts';
import { Account } from './account.ts';
import { updateAccountRow } from './queries.ts';
import type { AccountRow } from './queries.ts';
import { eventOf, statusOf } from './rules.ts';
import type { AccountContent } from './rules.ts';

/** State before the creation of an account that is created open or closed. */
const unopened = { status: 'pending', opened_at: null, closed_at: null } as const;

/** The version of a new account: each of its events raises it by one. */
export const firstVersionOf = (content: AccountContent) =>
  statusOf(content) === 'pending' ? 1 : 2;

/** Writes what differs and publishes it; nothing where nothing differs. */
export async function changeAccount(
  sql: Sql,
  before: AccountRow,
  content: AccountContent,
): Promise<AccountRow> {
  if (!differs(before, content)) return before;
  const after = await updateAccountRow(sql, before, content);
  await publishAccounts(sql, before.team_id, { created: [], changed: [{ before, after }] });
  return after;
}

export function differs(before: AccountRow, content: AccountContent): boolean {
  return changedFields(Account, before, { ...before, ...content }) !== undefined;
}

interface WrittenAccounts {
  created: readonly AccountRow[];
  changed: readonly { before: AccountRow; after: AccountRow }[];
}

const types = byName(accountEvents);

/** Publishes written accounts of one team to subscribers and to capabilities above. */
export async function publishAccounts(
  sql: Sql,
  teamId: string,
  written: WrittenAccounts,
): Promise<void> {
  const opened = written.created.filter(({ status }) => status !== 'pending');
  const changes = [
    ...opened.map((after) => ({ before: { ...after, ...unopened }, after })),
    ...written.changed,
  ].map((change) => ({ ...change, kind: eventOf(change.before.status, change.after.status) }));

  const isOne = written.created.length + changes.length === 1;
  const subscribed = isOne
    ? new Set(accountEvents)
    : await subscribedTypes(sql, teamId, accountEvents);
  if (subscribed.size > 0) {
    const created = written.created.map((data) => {
      return { type: accountCreated, data, sequence: 1 };
    });
    const changed = changes.map(({ before, after, kind }) => {
      const previous = changedFields(Account, before, after) ?? {};
      return { type: types[kind], data: after, sequence: after.lock_version, previous };
    });
    recordEvents(
      sql,
      teamId,
      [...created, ...changed].filter(({ type }) => subscribed.has(type)),
    );
  }

  await accountsChanged(sql, teamId, changes);
}
