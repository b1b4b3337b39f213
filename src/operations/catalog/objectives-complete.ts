import { Type } from 'typebox';
import { Id, Text } from '../../platform/schema/fields.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { findAccounts } from '../../contacts/accounts/queries.ts';
import { CompletionItem, ObjectiveCompletion } from '../../engagement/completions/completion.ts';
import { recordCompletions } from '../../engagement/completions/record.ts';
import { completionProblems } from '../../engagement/completions/rules.ts';
import { holdObjectives } from '../../campaigns/objectives/queries.ts';
import { contactReference, findReferred } from '../../contacts/lookup/contact-reference.ts';
import { operation, outcomeOf } from '../operation-type.ts';

export const objectivesComplete = operation({
  kind: 'objectives.complete',
  category: 'objectives',
  summary: 'Record that a contact has completed an objective',
  notes:
    'Once for each contact; once for each unique_id, else for each time, where the objective is ' +
    'repeatable. A repeat gives the first completion.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:objectives:write'],
  outputScope: 'partner:objectives:read',
  rateLimitClass: 'bulk',
  audit: { none: 'contact_data' },
  input: Type.Object(
    {
      ...CompletionItem,
      ...contactReference,
      objective_id: Type.Optional(Id('This or objective_key')),
      objective_key: Type.Optional(Text(64)),
    },
    { additionalProperties: false },
  ),
  output: ObjectiveCompletion,
  async apply({ sql, teamId, source }, items) {
    const lower = (id: string | undefined) => id?.toLowerCase();
    const ids = items.flatMap(({ objective_id }) => lower(objective_id) ?? []);
    const keys = items.flatMap(({ objective_key }) => objective_key ?? []);
    const accountIds = items.flatMap(({ account_id }) => account_id?.toLowerCase() ?? []);
    const [objectives, referred, accounts] = await Promise.all([
      holdObjectives(sql, teamId, { ids, keys }),
      findReferred(sql, teamId, items, { isLocked: false }),
      findAccounts(sql, teamId, accountIds),
    ]);
    const byId = new Map(objectives.map((row) => [row.id, row]));
    const byKey = new Map(objectives.map((row) => [row.key, row]));
    const owners = new Map(accounts.map((row) => [row.id, row.contact_id]));
    const nowMs = Date.now();

    const planned = items.map((item, at) => {
      const { objective_id, objective_key, completed_at, value_cents, unique_id } = item;
      const objective =
        objective_id === undefined
          ? byKey.get(objective_key ?? '')
          : byId.get(objective_id.toLowerCase());
      const found = referred[at];
      const refused = [
        ...(objective && (objective_id === undefined || objective_key === undefined)
          ? []
          : [objectiveProblem(item)]),
        ...(found && 'problems' in found ? found.problems : []),
      ];
      if (!objective || !found || 'problems' in found || refused.length > 0) {
        return { problems: refused };
      }
      const contactId = found.contact.id;
      const accountId = item.account_id?.toLowerCase();
      const completedMs = completed_at ? Date.parse(completed_at.toUpperCase()) : nowMs;
      const hasAccount = accountId === undefined || owners.get(accountId) === contactId;
      const about = { objective, completedMs, hasContact: true, hasAccount };
      const problems = completionProblems(about, nowMs);
      if (problems.length > 0) return { problems };
      const requested = {
        objective,
        contactId,
        completedAt: toTimestamp(completedMs),
        source,
        valueCents: value_cents ?? undefined,
        accountId,
        uniqueId: unique_id ?? undefined,
      };
      return { requested };
    });
    const recorded = await recordCompletions(
      sql,
      teamId,
      planned.flatMap(({ requested }) => requested ?? []),
    );
    let next = 0;
    return planned.map(({ requested, problems = [] }) => {
      const done = requested && recorded[next++];
      if (!done) return { status: 'failed' as const, errors: problems };
      return outcomeOf(done.isNew ? 'created' : 'unchanged', done.completion);
    });
  },
});

function objectiveProblem(item: { objective_id?: string; objective_key?: string }): Problem {
  const { objective_id: id, objective_key: key } = item;
  const problem = (field: string, rule: string, says: string): Problem => ({
    code: 'validation_failed',
    detail: `${field} ${says}`,
    meta: { pointer: `/${field}`, rule },
  });
  if (id === undefined && key === undefined) {
    return problem('objective_id', 'required', 'or objective_key is required.');
  }
  if (id !== undefined && key !== undefined) {
    return problem('objective_key', 'unknown_field', 'excludes objective_id; send one.');
  }
  const field = id === undefined ? 'objective_key' : 'objective_id';
  return problem(field, 'reference_not_found', 'names no objective of the team.');
}
