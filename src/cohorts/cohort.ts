import { Type } from 'typebox';
import { Count, Id, OneOf, Text, Timestamp, resource } from '../platform/schema/fields.ts';
import type { ListField } from '../platform/lists/declaration.ts';

const Kind = OneOf(['dynamic', 'static'], 'dynamic: by a definition; static: by a list. Fixed');
const EvaluationStatus = OneOf(
  ['never', 'queued', 'evaluating', 'ready', 'failed'],
  'State of the members of a dynamic cohort; failed keeps those of the last evaluation',
);

export const Definition = Type.Unsafe<object>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      title: 'cohort_definition',
      description:
        'A group {"op": "all|any|none", "rules": […]} or one rule, such as ' +
        '{"field": "contact.locale", "op": "eq", "value": "en"}; see docs/cohorts.md',
      examples: [{ field: 'contact.status', op: 'eq', value: 'active' }],
    },
  ),
);

export const Cohort = resource('cohort', {
  name: Text(120, 'Unique in the team, compared without case'),
  description: Type.Optional(Text(2_000)),
  kind: Kind,
  definition: Type.Optional(Definition),
  definition_version: Type.Integer({ minimum: 1, description: 'Rises with each change' }),
  evaluation_mode: OneOf(
    ['realtime', 'scheduled', 'on_demand'],
    'realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand',
  ),
  refresh_interval_seconds: Type.Optional(
    Type.Integer({
      minimum: 300,
      maximum: 604_800,
      description: 'Between evaluations of all contacts; of realtime and scheduled ones',
    }),
  ),
  evaluation_status: EvaluationStatus,
  member_count: Count(),
  last_evaluated_at: Type.Optional(Timestamp('The members are those of this time')),
  last_evaluation_ms: Type.Optional(Count('Duration of the last evaluation in milliseconds')),
  last_error: Type.Optional(Type.String()),
  is_archived: Type.Boolean(),
  archived_at: Type.Optional(Timestamp()),
});

const choice = ['eq', 'neq', 'in', 'nin'] as const;

export const cohortListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  member_count: { type: 'integer', sort: true },
  last_evaluated_at: { type: 'timestamp', sort: true, nullable: true },
  kind: { type: 'enum', values: Kind.enum, filter: choice },
  evaluation_status: { type: 'enum', values: EvaluationStatus.enum, filter: choice },
  is_archived: { type: 'boolean', filter: ['eq', 'neq'], column: 't.archived_at is not null' },
} as const satisfies Record<string, ListField>;

/** Cohorts of a team. */
export const maxCohorts = 1_000;
const maxMembersAtOnce = 10_000;

export const MemberIds = Type.Object(
  { contact_ids: Type.Array(Id(), { minItems: 1, maxItems: maxMembersAtOnce, uniqueItems: true }) },
  { additionalProperties: false },
);

export const MembersChanged = Type.Object(
  {
    cohort_id: Id(),
    changed: Count('Members that were added or removed; the others were so before'),
    member_count: Count(),
  },
  { title: 'cohort_members_changed' },
);

export const CohortMember = Type.Object(
  {
    id: Id('The contact'),
    type: Type.Literal('cohort_member'),
    team_id: Id(),
    cohort_id: Id(),
    contact_id: Id(),
    joined_at: Timestamp('When it was found to belong'),
  },
  { title: 'cohort_member' },
);

export const Preview = Type.Object(
  {
    count: Count('Contacts of the team that the definition means at this moment'),
    sample_contact_ids: Type.Array(Id(), { description: 'Up to 25 of them' }),
  },
  { title: 'cohort_preview' },
);

export const EvaluatedSoon = Type.Object(
  { ...Cohort.properties, execution_id: Id('Ends when the members are found') },
  { title: 'cohort_asked' },
);

export const Explanation = Type.Object(
  {
    cohort_id: Id(),
    contact_id: Id(),
    is_member: Type.Boolean({ description: 'Since the last evaluation' }),
    belongs: Type.Boolean({ description: 'By the definition, at this moment' }),
    leaves: Type.Array(
      Type.Object({
        pointer: Type.String({ description: 'Where the rule stands in the definition' }),
        holds: Type.Boolean(),
      }),
    ),
  },
  { title: 'cohort_explanation' },
);
