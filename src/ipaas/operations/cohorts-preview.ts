import { Type } from 'typebox';
import { Definition, Preview } from '../../partner/cohorts/cohort.ts';
import { previewDefinition } from '../../partner/cohorts/edit.ts';
import { operation } from '../operation.ts';

export const cohortsPreview = operation({
  kind: 'cohorts.preview',
  category: 'cohorts',
  summary: 'Count the contacts that a definition means, without keeping it',
  idempotencyMode: 'natural',
  failureMode: 'transactional',
  executionMode: 'sync',
  scopes: ['partner:cohorts:execute'],
  rateLimitClass: 'execute',
  input: Type.Object({ definition: Definition }, { additionalProperties: false }),
  output: Preview,
  async apply({ sql, teamId }, items) {
    const outcomes = [];
    for (const { definition } of items) {
      const output = await previewDefinition(sql, teamId, definition);
      outcomes.push({
        status: 'unchanged' as const,
        resource_type: 'cohort',
        resource_id: null,
        output,
      });
    }
    return outcomes;
  },
});
