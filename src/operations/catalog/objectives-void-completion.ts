import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { CompletionVoid, ObjectiveCompletion } from '../../engagement/completions/completion.ts';
import { lockCompletion } from '../../engagement/completions/queries.ts';
import { voidCompletion } from '../../engagement/completions/record.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const objectivesVoidCompletion = operation({
  kind: 'objectives.void_completion',
  category: 'objectives',
  summary: 'Void a completion; it no longer counts in totals and insights',
  notes: 'One that is voided already keeps its first reason.',
  idempotencyMode: 'natural',
  failureMode: 'transactional',
  executionMode: 'sync',
  scopes: ['partner:objectives:write'],
  outputScope: 'partner:objectives:read',
  rateLimitClass: 'write',
  audit: 'objective_completion.voided',
  input: Type.Object(
    { completion_id: Id(), ...CompletionVoid.properties },
    { additionalProperties: false },
  ),
  output: ObjectiveCompletion,
  apply: oneByOne(async ({ sql, teamId }, { completion_id, reason }) => {
    const before = await lockCompletion(sql, teamId, completion_id);
    if (before.voided_at !== null) return { status: 'unchanged', row: before };
    return { status: 'updated', row: await voidCompletion(sql, before, reason) };
  }),
});
