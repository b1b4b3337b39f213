import { Type } from 'typebox';
import {
  Count,
  Id,
  IdList,
  OneOf,
  Text,
  Timestamp,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import type { ListDeclaration } from '../../platform/lists/declaration.ts';
import { templateStatuses } from './rules.ts';

const entries = ['manual', 'on_launch_snapshot', 'on_cohort_entry'] as const;
const reentries = ['never', 'after_exit', 'after_interval'] as const;
const factors = [
  'postal_code',
  'date_of_birth',
  'unique_id_last4',
  'otp_sms',
  'otp_email',
] as const;

/** Bounds of an identity challenge; `src/widget/identity` applies them to older templates as well. */
export const challengeLimits = { tries: 5, lockMinutes: 15, maxLockMinutes: 1_440 };

const challengeSettings = {
  enabled: Type.Boolean(),
  factors: Type.Array(OneOf([...factors]), { maxItems: 5, uniqueItems: true }),
};

export const Template = resource('template', {
  name: Text(120),
  use_case: Type.Optional(Text(120)),
  description: Type.Optional(Text(2_000)),
  status: OneOf([...templateStatuses]),
  is_archived: Type.Boolean(),
  is_locked: Type.Boolean({
    description: 'While true only name, description, deadline_at and send_rate_per_minute change',
  }),
  scheduled_at: Type.Optional(
    Timestamp('When it launches by itself, within a year; only while scheduled'),
  ),
  launched_at: Type.Optional(Timestamp('First launch')),
  paused_at: Type.Optional(Timestamp('Only while paused')),
  expired_at: Type.Optional(Timestamp()),
  archived_at: Type.Optional(Timestamp('Only while archived')),
  locked_at: Type.Optional(Timestamp()),
  locked_by: Type.Optional(Id('The client that locked it')),
  deadline_at: Type.Optional(Timestamp('When it expires by itself, once scheduled or launched')),
  template_version: Count('Number of the newest version; 0 before the first launch'),
  holdout_percent: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 50,
      description: 'Share of recipients held back for comparison; fixed by the launch',
    }),
  ),
  send_rate_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),
  exit_on_objectives: Type.Boolean({
    description: 'Whether a journey ends when its objectives are completed',
  }),
  exit_on_leaving_cohort: Type.Boolean({
    description: 'Whether a journey ends when its contact leaves the cohort that brought it',
  }),
  entry: OneOf([...entries], 'Route by which recipients enter'),
  reentry: OneOf([...reentries], 'Whether they may come in again'),
  reentry_interval: Type.Optional(
    Type.String({
      pattern: '^P\\d{1,4}[DW]$',
      examples: ['P30D'],
      description: 'ISO 8601 duration of days or weeks, with reentry after_interval',
    }),
  ),
  target_cohort_ids: IdList(50, 'Needed unless entry is manual'),
  exclusion_cohort_ids: IdList(50),
  secure_personalization: Type.Object({
    ...challengeSettings,
    // Wider than what can be written: templates of older versions may hold such figures.
    max_attempts: Type.Integer({ minimum: 1, maximum: 20 }),
    lockout_minutes: Type.Integer({ minimum: 1, maximum: 1_440 }),
  }),
  enrolled_count: Count('Recipients so far'),
  active_journey_count: Count('Recipients who are under way'),
  objective_ids: Type.Array(Id(), { maxItems: 50, uniqueItems: true }),
  page_ids: Type.Array(Id(), { description: 'In their order; a PATCH can only reorder them' }),
  message_ids: Type.Array(Id(), { description: 'In their order; a PATCH can only reorder them' }),
});

const written = [
  'use_case',
  'description',
  'scheduled_at',
  'deadline_at',
  'holdout_percent',
  'send_rate_per_minute',
  'exit_on_objectives',
  'exit_on_leaving_cohort',
  'entry',
  'reentry',
  'reentry_interval',
  'target_cohort_ids',
  'exclusion_cohort_ids',
  'secure_personalization',
  'objective_ids',
  'page_ids',
  'message_ids',
] as const;

// Omitted fields of secure_personalization get their defaults.
const Written = Type.Object({
  ...Template.properties,
  secure_personalization: Type.Partial(
    Type.Object({
      ...challengeSettings,
      max_attempts: Type.Integer({
        minimum: 1,
        maximum: challengeLimits.tries,
        description: 'Wrong answers from one network until it is locked',
      }),
      lockout_minutes: Type.Integer({
        minimum: challengeLimits.lockMinutes,
        maximum: challengeLimits.maxLockMinutes,
        description: 'Length of the first lock; each further one lasts twice as long, up to a day',
      }),
    }),
    { additionalProperties: false },
  ),
});

export const TemplateCreate = createBody(Written, ['name'], written);
export const TemplatePatch = patchBody(Written, ['name', ...written]);

/** Templates at most of a team. */
export const maxTemplates = 5_000;

export const templateFields: ListDeclaration['fields'] = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  launched_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
  deadline_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
  status: { type: 'enum', values: templateStatuses, filter: true },
  use_case: { type: 'text', filter: true },
  is_locked: { type: 'boolean', filter: true },
  is_archived: { type: 'boolean', filter: true },
  objective_id: {
    type: 'id',
    column: 'o.objective_id',
    through: 'template_objectives o where o.team_id = t.team_id and o.template_id = t.id',
    filter: true,
  },
};

/** A template that failed to launch, with the fields that are missing. */
export const FailedTemplate = Type.Object(
  { ...Template.properties, missing: Type.Array(Type.String()) },
  { title: 'failed_template' },
);

export const TemplateStatusRollup = Type.Object(
  {
    team_id: Id(),
    by_status: Type.Object({
      draft: Count(),
      scheduled: Count(),
      launched: Count(),
      paused: Count(),
      archived: Count(),
      expired: Count(),
    }),
    total: Count(),
    computed_at: Timestamp(),
  },
  { title: 'template_status_rollup' },
);
