import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  Cents,
  CentsSum,
  Count,
  Id,
  OneOf,
  Text,
  Timestamp,
  createBody,
  itemFields,
  resource,
} from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

const Source = OneOf(['api', 'batch', 'sftp', 'ipaas', 'widget', 'inbound', 'rule']);
const Attribution = OneOf(['journey', 'organic'], 'Whether a journey of the contact led to it');

/** That a contact has completed an objective. */
export const ObjectiveCompletion = resource('objective_completion', {
  objective_id: Id(),
  contact_id: Id(),
  completed_at: Timestamp(),
  value_cents: Cents('Credited value, in cents of the team’s currency'),
  source: Source,
  attribution: Attribution,
  journey_id: Type.Optional(Id()),
  template_id: Type.Optional(Id()),
  message_id: Type.Optional(Id()),
  account_id: Type.Optional(Id('An account of the contact')),
  unique_id: Type.Optional(Text(255, 'Distinguishes repeats of a repeatable objective')),
  voided_at: Type.Optional(Timestamp('Counts and insights leave it out from then on')),
  void_reason: Type.Optional(Text(2_000)),
});
export type ObjectiveCompletion = Static<typeof ObjectiveCompletion>;

const Written = Type.Object({
  ...ObjectiveCompletion.properties,
  completed_at: Type.Optional(Timestamp('Now if absent')),
  value_cents: Type.Optional(Cents('The objective’s if absent')),
});

const optional = ['completed_at', 'value_cents', 'account_id', 'unique_id'] as const;

export const CompletionCreate = createBody(Written, ['contact_id'], optional);
/** One item of objectives.complete, but for its contact and objective. */
export const CompletionItem = itemFields(Written, optional);

export const CompletionVoid = Type.Object(
  { reason: Text(2_000, 'Kept with the completion') },
  { additionalProperties: false },
);

export const completionListFields = {
  completed_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  objective_id: { type: 'id', filter: ['eq', 'neq', 'in', 'nin'] },
  contact_id: { type: 'id', filter: ['eq', 'neq', 'in', 'nin'] },
  template_id: { type: 'id', filter: true },
  source: { type: 'enum', values: Source.enum, filter: ['eq', 'neq', 'in', 'nin'] },
  attribution: { type: 'enum', values: Attribution.enum, filter: ['eq', 'neq', 'in', 'nin'] },
  value_cents: { type: 'integer', filter: true },
  voided_at: { type: 'timestamp', filter: true },
} as const satisfies Record<string, ListField>;

export const CompletionsCountsQuery = Type.Object({
  period: Type.Optional(Type.String({ description: 'The last 30 × 24 hours if absent' })),
  timezone: Type.Optional(Type.String({ description: 'IANA; the team’s if absent' })),
});

/** Answer of getObjectiveCompletionsCounts; totals are the sums of by_objective. */
export const CompletionsCounts = Type.Object(
  {
    team_id: Id(),
    window: Type.Object({ start: Timestamp('Inclusive'), end: Timestamp('Exclusive') }),
    by_objective: Type.Array(
      Type.Object({
        objective_id: Id(),
        key: Type.String(),
        name: Type.String(),
        completions: Count(),
        unique_contacts: Count(),
        value_cents: CentsSum(),
        attributed_completions: Count('Those with attribution journey'),
        attributed_value_cents: CentsSum(),
      }),
      { description: 'Every active objective, and what else was completed; most completed first' },
    ),
    total_completions: Count(),
    total_value_cents: CentsSum(),
    computed_at: Timestamp(),
  },
  { title: 'objective_completions_counts' },
);
