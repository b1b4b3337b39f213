import { Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { Message, messageSteps } from '../messages/message.ts';
import { Objective } from '../objectives/objective.ts';
import { loadTemplateObjectives } from '../objectives/queries.ts';
import { Page, pageSteps } from '../pages/page.ts';
import {
  checkContent,
  checkState,
  columnsOf,
  differences,
  merge,
  noContent,
  writeContent,
} from './edit.ts';
import {
  addTemplate,
  changeStatus,
  findMissing,
  lockTemplate,
  signalIfNeeded,
} from './lifecycle.ts';
import { illegal } from './refusals.ts';
import { deleteTemplateRow, requireTemplate, rollUpStatuses, templateSource } from './queries.ts';
import { deleteSteps, loadSteps } from './steps/queries.ts';
import {
  Template,
  TemplateCreate,
  TemplatePatch,
  TemplateStatusRollup,
  templateFields,
} from './template.ts';

const tag = 'Templates';
const path = '/v2/partner/templates';

export const listTemplates = listEndpoint({
  id: 'listTemplates',
  path,
  summary: 'List templates; archived ones only where a filter names status or is_archived',
  description:
    'Returns the templates of the team. Archived templates are returned only where a filter ' +
    'names status or is_archived. Embed objectives, pages and messages with include, at most ' +
    '25 of each for one template.',
  tag,
  scope: 'partner:templates:read',
  item: Template,
  fields: templateFields,
  defaultSort: '-inserted_at',
  includes: {
    objectives: {
      scope: 'partner:objectives:read',
      item: Objective,
      many: true,
      load: loadTemplateObjectives,
    },
    pages: {
      scope: 'partner:pages:read',
      item: Page,
      many: true,
      load: (sql, teamId, rows) => loadSteps(sql, pageSteps, teamId, rows),
    },
    messages: {
      scope: 'partner:messages:read',
      item: Message,
      many: true,
      load: (sql, teamId, rows) => loadSteps(sql, messageSteps, teamId, rows),
    },
  },
  source: ({ teamId }) => templateSource(teamId),
});

export const createTemplate = endpoint({
  id: 'createTemplate',
  method: 'POST',
  path,
  summary: 'Create a template as a draft, or scheduled if scheduled_at is given',
  description:
    'Creates a template as a draft. With scheduled_at it is scheduled right away, which ' +
    'requires a complete template. A team has at most 5,000 templates. Add pages and messages ' +
    'next, then validate and launch it.',
  errors: ['immutable_field', 'quota_exceeded', 'template_incomplete', 'deadline_passed'],
  tag,
  scope: 'partner:templates:write',
  rateClass: 'write',
  body: TemplateCreate,
  status: 201,
  response: Template,
  location: `${path}/{id}`,
  audit: 'template.created',
  async handle({ sql, teamId, principal: { clientId }, body }) {
    const requested = merge(noContent, body);
    await checkContent(sql, teamId, noContent, requested);
    const { objective_ids, scheduled_at: scheduledAt } = requested;
    const content = { ...columnsOf(requested), objective_ids };
    const draft = await addTemplate(sql, { teamId, clientId }, content);
    if (scheduledAt === null) return draft;
    const actor = { cause: 'api', clientId, nowMs: Date.now() } as const;
    const scheduled = await changeStatus(sql, draft, 'schedule', actor, { scheduledAt });
    await signalIfNeeded(sql, draft, scheduled);
    return scheduled;
  },
});

export const getTemplate = endpoint({
  id: 'getTemplate',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a template',
  description:
    'Returns one template with its status and the ids of its objectives, pages and messages. ' +
    'It has no side effects.',
  tag,
  scope: 'partner:templates:read',
  rateClass: 'read',
  response: Template,
  handle: ({ sql, teamId, params }) => requireTemplate(sql, teamId, params.id),
});

export const updateTemplate = endpoint({
  id: 'updateTemplate',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary:
    'Update a template; scheduled_at schedules, reschedules or (null) unschedules its launch',
  description:
    'Changes the fields that the body names. scheduled_at schedules the launch, moves it, or ' +
    'unschedules it when it is null. A locked template accepts only name, description, ' +
    'deadline_at and send_rate_per_minute. Send If-Match to refuse the change when somebody ' +
    'else was faster.',
  errors: [
    'immutable_field',
    'template_locked',
    'invalid_state_transition',
    'deadline_passed',
    'template_incomplete',
  ],
  tag,
  scope: 'partner:templates:write',
  rateClass: 'write',
  body: TemplatePatch,
  response: Template,
  audit: 'template.updated',
  async handle({ sql, teamId, principal: { clientId }, params, body, checkPrecondition }) {
    const before = await lockTemplate(sql, teamId, params.id);
    checkPrecondition(before);
    const requested = merge(before, body);
    checkState(before, differences(before, requested));
    await checkContent(sql, teamId, before, requested);
    let after = await writeContent(sql, before, requested);
    const { scheduled_at: scheduledAt } = requested;
    if (scheduledAt !== before.scheduled_at) {
      const actor = { cause: 'api', clientId, nowMs: Date.now() } as const;
      after =
        scheduledAt === null
          ? await changeStatus(sql, after, 'unschedule', actor)
          : await changeStatus(sql, after, 'schedule', actor, { scheduledAt });
    }
    await signalIfNeeded(sql, before, after);
    return after;
  },
});

export const deleteTemplate = endpoint({
  id: 'deleteTemplate',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a draft that was never launched',
  description:
    'Deletes a draft that was never launched, with its pages and messages. It cannot be ' +
    'undone. A template that was launched is refused with 409 and can be archived instead.',
  errors: ['invalid_state_transition', 'template_has_history'],
  tag,
  scope: 'partner:templates:delete',
  rateClass: 'write',
  audit: 'template.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const row = await lockTemplate(sql, teamId, id);
    checkPrecondition(row);
    if (row.launched_at !== null) {
      throw fail('template_has_history', {
        detail: 'The template was launched; archive it instead.',
        meta: { resource: 'template', state: row.status },
      });
    }
    if (row.status !== 'draft') throw illegal(row, 'delete');
    await deleteTemplateRow(sql, teamId, id);
    await deleteSteps(sql, pageSteps, teamId, id);
    await deleteSteps(sql, messageSteps, teamId, id);
    return undefined;
  },
});

export const getTemplateStatusRollup = endpoint({
  id: 'getTemplateStatusRollup',
  method: 'GET',
  path: `${path}/counts`,
  summary: 'Count templates by status',
  description:
    'Returns the number of templates in each status. It is computed for the request and has ' +
    'no parameters. A status without templates counts 0; total is the sum, and computed_at ' +
    'the time.',
  tag,
  scope: 'partner:templates:read',
  rateClass: 'read',
  response: TemplateStatusRollup,
  handle: ({ sql, teamId }) => rollUpStatuses(sql, teamId),
});

export const validateTemplate = endpoint({
  id: 'validateTemplate',
  method: 'POST',
  path: `${path}/{id}/validate`,
  summary: 'Validate a template: list what is missing before it can launch',
  description:
    'Returns what the template lacks before it can launch. An empty list in missing means ' +
    'that it is complete. Nothing is changed. Call it before you schedule or launch.',
  tag,
  scope: 'partner:templates:read',
  rateClass: 'read',
  audit: { none: 'question' },
  response: Type.Object(
    { complete: Type.Boolean(), missing: Type.Array(Type.String()) },
    { title: 'template_completeness' },
  ),
  async handle({ sql, teamId, params }) {
    const missing = await findMissing(sql, await requireTemplate(sql, teamId, params.id));
    return { complete: missing.length === 0, missing };
  },
});

export const templateEndpoints = [
  listTemplates,
  createTemplate,
  getTemplate,
  updateTemplate,
  deleteTemplate,
  getTemplateStatusRollup,
  validateTemplate,
];
