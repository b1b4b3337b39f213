import { Type } from 'typebox';
import {
  Count,
  Id,
  OneOf,
  Text,
  Timestamp,
  createBody,
  patchBody,
  resource,
} from '../../fields.ts';
import type { ListDeclaration } from '../../listing/declaration.ts';
import { templateStatuses } from './rules.ts';

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
  'objective_ids',
  'page_ids',
  'message_ids',
] as const;

export const TemplateCreate = createBody(Template, ['name'], written);
export const TemplatePatch = patchBody(Template, ['name', ...written]);

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

/** What a launch failure tells beside the template. */
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
