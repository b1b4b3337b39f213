import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import type { AccountPatch } from '../account.ts';
import { differs, firstVersionOf, publishAccounts } from '../edit.ts';
import type { AccountRow } from '../queries.ts';
import {
  accountProblems,
  blankAccount,
  newAccountProblems,
  quotaProblems,
  writeAccount,
} from '../rules.ts';
import {
  countAccountsOfEach,
  insertAccounts,
  lockAccountsByKey,
  updateAccounts,
} from './queries.ts';
import type { AccountToWrite } from './queries.ts';

export interface AccountToSync {
  /** Locked by the caller. */
  contactId: string;
  uniqueId: string;
  body: AccountPatch;
}

export type AccountOutcome =
  | { status: 'created' | 'updated' | 'unchanged'; account: AccountRow }
  | { status: 'failed'; errors: readonly Problem[] };

/**
 * Creates or changes accounts by contact and unique_id under the rules of createContactAccount and
 * updateAccount. Returns the outcomes in the order of the input. If a key occurs twice, the later
 * entry is applied to the result of the earlier one.
 */
export async function syncAccounts(
  sql: Sql,
  teamId: string,
  requested: readonly AccountToSync[],
): Promise<AccountOutcome[]> {
  const outcomes = new Array<AccountOutcome>(requested.length);
  let open = requested.map((one, at) => ({ ...one, at }));
  while (open.length > 0) {
    const wave = new Map<string, (typeof open)[number]>();
    const later: typeof open = [];
    for (const one of open) {
      const key = keyOf(one.contactId, one.uniqueId);
      if (wave.has(key)) later.push(one);
      else wave.set(key, one);
    }
    await syncWave(sql, teamId, wave, outcomes);
    open = later;
  }
  return outcomes;
}

async function syncWave(
  sql: Sql,
  teamId: string,
  wave: ReadonlyMap<string, AccountToSync & { at: number }>,
  outcomes: AccountOutcome[],
): Promise<void> {
  const requested = [...wave.values()];
  const keys = requested.map(({ contactId, uniqueId }) => {
    return { contact_id: contactId, unique_id: uniqueId };
  });
  const contactIds = [...new Set(requested.map(({ contactId }) => contactId))];
  const [locked, counts] = await Promise.all([
    lockAccountsByKey(sql, teamId, keys),
    countAccountsOfEach(sql, teamId, contactIds),
  ]);
  const known = new Map(locked.map((row) => [keyOf(row.contact_id, row.unique_id ?? ''), row]));

  const created: AccountToWrite[] = [];
  const changed: AccountToWrite[] = [];
  const places = new Map<string, number>();
  for (const [key, { at, contactId, uniqueId, body }] of wave) {
    const before = known.get(key);
    const content = { ...writeAccount(before ?? blankAccount, body), unique_id: uniqueId };
    const count = counts.get(contactId) ?? 0;
    const errors = before
      ? accountProblems(before, content)
      : [...newAccountProblems(content), ...quotaProblems(count)];
    if (errors.length > 0) {
      outcomes[at] = { status: 'failed', errors };
    } else if (!before) {
      const id = randomUUID();
      const lock_version = firstVersionOf(content);
      created.push({ ...content, id, contact_id: contactId, lock_version });
      counts.set(contactId, count + 1);
      places.set(id, at);
    } else if (differs(before, content)) {
      const { id, lock_version } = before;
      changed.push({ ...content, id, contact_id: contactId, lock_version });
      places.set(id, at);
    } else {
      outcomes[at] = { status: 'unchanged', account: before };
    }
  }

  const [inserted, updated] = await Promise.all([
    created.length > 0 ? insertAccounts(sql, teamId, created) : [],
    changed.length > 0 ? updateAccounts(sql, teamId, changed) : [],
  ]);
  const note = (status: 'created' | 'updated') => (account: AccountRow) => {
    const at = places.get(account.id);
    if (at !== undefined) outcomes[at] = { status, account };
  };
  inserted.forEach(note('created'));
  updated.forEach(note('updated'));
  const before = new Map(locked.map((row) => [row.id, row]));
  const changes = updated.flatMap((after) => {
    const was = before.get(after.id);
    return was ? [{ before: was, after }] : [];
  });
  if (inserted.length + changes.length > 0) {
    await publishAccounts(sql, teamId, { created: inserted, changed: changes });
  }
}

const keyOf = (contactId: string, uniqueId: string) => `${contactId} ${uniqueId}`;
