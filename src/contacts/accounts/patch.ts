import { changeTogether } from '../../platform/http/change-together.ts';
import type { Call, Shared } from '../../platform/http/endpoint.ts';
import { failAll } from '../../platform/http/errors.ts';
import type { AccountPatch } from './account.ts';
import { changeAccount, differs, publishAccounts } from './edit.ts';
import { lockAccount, lockAccounts } from './queries.ts';
import type { AccountRow } from './queries.ts';
import { accountProblems, writeAccount } from './rules.ts';
import type { AccountContent } from './rules.ts';
import { updateAccounts } from './sync/queries.ts';

type PatchCall = Pick<
  Call<{ id: string }, undefined, AccountPatch>,
  'params' | 'body' | 'request' | 'checkPrecondition'
>;

/** Changes one account; throws its errors. */
export async function patchAccount(
  { sql, teamId }: Shared,
  { params, body, checkPrecondition }: PatchCall,
): Promise<AccountRow> {
  const before = await lockAccount(sql, teamId, params.id);
  checkPrecondition(before);
  return changeAccount(sql, before, contentOf(before, body));
}

/** Changes accounts by calls of one client; returns the row or the error of each. */
export async function patchAccounts(shared: Shared, calls: readonly PatchCall[]) {
  const { sql, teamId } = shared;
  const patched = await changeTogether(sql, calls, {
    admits: ({ body }: PatchCall) => body.unique_id === undefined,
    lock: (ids) => lockAccounts(sql, teamId, ids),
    plan(before: AccountRow, { body }) {
      const content = contentOf(before, body);
      return differs(before, content) ? content : undefined;
    },
    async write(changes) {
      const rows = changes.map(({ before, plan }) => ({ ...before, ...plan }));
      const updated = await updateAccounts(sql, teamId, rows);
      const previous = new Map(changes.map(({ before }) => [before.id, before]));
      const changed = updated.flatMap((after) => {
        const before = previous.get(after.id);
        return before ? [{ before, after }] : [];
      });
      await publishAccounts(sql, teamId, { created: [], changed });
      return updated;
    },
    alone: (call) => patchAccount(shared, call),
  });
  return patched.map(({ outcome }) => outcome);
}

/** Throws the problems of the change. */
function contentOf(before: AccountRow, body: AccountPatch): AccountContent {
  const content = writeAccount(before, body);
  const problems = accountProblems(before, content);
  if (problems.length > 0) throw failAll(problems);
  return content;
}
