import { Type } from 'typebox';
import { Definition, Preview } from '../../cohorts/cohort.ts';
import { scopesOfDefinition } from '../../cohorts/definition/scopes.ts';
import { previewDefinition } from '../../cohorts/edit.ts';
import { operation } from '../operation-type.ts';

export const cohortsPreview = operation({
  kind: 'cohorts.preview',
  category: 'cohorts',
  summary: 'Count the contacts that match a definition, without saving it',
  notes: 'Also needs the read scopes of the data in the rules, such as partner:contacts:read.',
  idempotencyMode: 'natural',
  failureMode: 'transactional',
  executionMode: 'sync',
  scopes: ['partner:cohorts:execute'],
  itemScopes: ({ definition }) => scopesOfDefinition(definition),
  rateLimitClass: 'execute',
  audit: { none: 'question' },
  input: Type.Object({ definition: Definition }, { additionalProperties: false }),
  output: Preview,
  async apply({ sql, principal }, items) {
    const outcomes = [];
    for (const { definition } of items) {
      const output = await previewDefinition(sql, principal, definition);
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
