import { Type } from 'typebox';
import { Count, Id, Timestamp } from '../../platform/schema/fields.ts';
import { checkEvaluable } from '../../cohorts/edit.ts';
import { evaluateCohort, refuseWithoutRights } from '../../cohorts/evaluation/evaluate.ts';
import { cohorts } from '../../cohorts/queries.ts';
import { fail } from '../../platform/http/errors.ts';
import { oneByOne, operation } from '../operation-type.ts';
import type { OperationCall } from '../operation-type.ts';

const Input = Type.Object({ cohort_id: Id() }, { additionalProperties: false });
const Found = Type.Object(
  {
    id: Id('The cohort'),
    joined: Count('Contacts that came'),
    left: Count('Contacts that went'),
    member_count: Count(),
    last_evaluated_at: Timestamp(),
    last_evaluation_ms: Count(),
  },
  { title: 'cohort_evaluated' },
);

export const cohortsEvaluate = operation({
  kind: 'cohorts.evaluate',
  category: 'cohorts',
  summary: 'Evaluate a dynamic cohort; the execution ends when the evaluation is complete',
  idempotencyMode: 'keyed',
  failureMode: 'transactional',
  executionMode: 'async',
  scopes: ['partner:cohorts:execute'],
  rateLimitClass: 'execute',
  audit: { none: 'run' },
  input: Input,
  output: Found,
  async checkRequested({ sql, teamId }, { cohort_id: id }) {
    checkEvaluable(await cohorts.require(sql, teamId, id));
  },
  apply: oneByOne(evaluate),
});

async function evaluate({ sql, teamId }: OperationCall, { cohort_id: id }: { cohort_id: string }) {
  const before = await cohorts.require(sql, teamId, id);
  checkEvaluable(before);
  const refused = await refuseWithoutRights(sql, before);
  if (refused) {
    throw fail('scope_missing', { detail: refused.last_error ?? '' });
  }
  const now = new Date().toISOString();
  // The schedule waits for writers that are not visible yet, outside of any transaction.
  const { cohort, joined, left } = await evaluateCohort(sql, teamId, id, now, {
    isCaughtUp: false,
  });
  const { member_count, last_evaluation_ms } = cohort;
  return {
    status: joined + left > 0 ? ('updated' as const) : ('unchanged' as const),
    row: {
      id: cohort.id,
      type: 'cohort',
      joined,
      left,
      member_count,
      last_evaluated_at: cohort.last_evaluated_at ?? now,
      last_evaluation_ms: last_evaluation_ms ?? 0,
    },
  };
}
