import { Type } from 'typebox';
import { Id, Timestamp } from '../../platform/schema/fields.ts';
import { failAll } from '../../platform/http/errors.ts';
import { inUtc } from '../../platform/time/rules.ts';
import { Account } from '../../contacts/accounts/account.ts';
import { changeAccount } from '../../contacts/accounts/edit.ts';
import { lockAccount } from '../../contacts/accounts/queries.ts';
import { closeOf } from '../../contacts/accounts/rules.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const accountsClose = operation({
  kind: 'accounts.close',
  category: 'accounts',
  summary: 'Close an open account',
  notes: 'One that is closed already stays as it is, unless another closed_at is asked for.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:contacts:write'],
  outputScope: 'partner:contacts:read',
  rateLimitClass: 'write',
  audit: { none: 'contact_data' },
  input: Type.Object(
    { account_id: Id(), closed_at: Type.Optional(Timestamp('Now if absent')) },
    { additionalProperties: false },
  ),
  output: Account,
  apply: oneByOne(async ({ sql, teamId }, { account_id, closed_at }) => {
    const before = await lockAccount(sql, teamId, account_id);
    const isAsAsked = closed_at === undefined || inUtc(closed_at) === before.closed_at;
    if (before.status === 'closed' && isAsAsked) return { status: 'unchanged', row: before };
    const closing = closeOf(before, closed_at, new Date().toISOString());
    if ('problems' in closing) throw failAll(closing.problems);
    return { status: 'updated', row: await changeAccount(sql, before, closing.content) };
  }),
});
