import { countRows } from '../../platform/database/count-rows.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields } from '../../platform/events/record.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { findTemplateForUpdate } from '../../campaigns/templates/queries.ts';
import {
  insertWidgetInstance,
  lockWidgetInstance,
  requireWidgetInstance,
  stampWidgetInstance,
  updateWidgetInstanceRow,
  widgetInstanceSource,
} from './queries.ts';
import type { WidgetInstanceRow } from './queries.ts';
import {
  allowedActions,
  blankWidget,
  maxWidgetInstances,
  widgetProblems,
  writeWidget,
} from './rules.ts';
import type { WidgetAction, WidgetContent } from './rules.ts';
import {
  WidgetInstance,
  WidgetInstanceCreate,
  WidgetInstancePatch,
  widgetInstanceListFields,
} from './widget-instance.ts';

const tag = 'Widgets';
const path = '/v2/partner/widget-instances';
const scope = 'partner:widgets:write';

export const listWidgetInstances = listEndpoint({
  id: 'listWidgetInstances',
  path,
  summary: 'List widgets; archived ones only where a filter names is_archived',
  description:
    'Returns the widgets of the team. Archived widgets are returned only where a filter names ' +
    'is_archived. The publishable_key of each names it on a page; it is no secret.',
  tag,
  scope: 'partner:widgets:read',
  item: WidgetInstance,
  fields: widgetInstanceListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => widgetInstanceSource(teamId),
});

export const createWidgetInstance = endpoint({
  id: 'createWidgetInstance',
  method: 'POST',
  path,
  summary: 'Create a widget',
  description:
    'Creates a widget that pages of the allowed origins can embed. The kind is fixed ' +
    'afterwards. A team has at most 100 widgets. Create a token for each recipient with the ' +
    'operation createWidgetToken.',
  errors: ['quota_exceeded'],
  tag,
  scope,
  rateClass: 'write',
  body: WidgetInstanceCreate,
  status: 201,
  response: WidgetInstance,
  location: `${path}/{id}`,
  audit: 'widget_instance.created',
  async handle({ sql, teamId, body, services }) {
    const content = writeWidget(blankWidget, body);
    const { allowLoopback } = services.config.webhooks;
    const problems = widgetProblems(body, content, allowLoopback);
    if (problems.length > 0) throw failAll(problems);
    await checkTemplate(sql, teamId, blankWidget, content);
    await checkQuota(sql, teamId, {
      name: 'widget_instances',
      of: 'widgets',
      limit: maxWidgetInstances,
      count: countRows('widget_instances'),
    });
    return insertWidgetInstance(sql, teamId, content);
  },
});

export const getWidgetInstance = endpoint({
  id: 'getWidgetInstance',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a widget',
  description:
    'Returns one widget with its settings and allowed origins. Pages of other origins cannot ' +
    'embed it. The publishable_key is no secret.',
  tag,
  scope: 'partner:widgets:read',
  rateClass: 'read',
  response: WidgetInstance,
  handle: ({ sql, teamId, params }) => requireWidgetInstance(sql, teamId, params.id),
});

export const updateWidgetInstance = endpoint({
  id: 'updateWidgetInstance',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update a widget; its kind cannot be changed',
  description:
    'Changes the fields that the body names. The kind is fixed. Pages that embed the widget ' +
    'follow the change with their next call. The change is recorded in the audit trail.',
  errors: ['immutable_field'],
  tag,
  scope,
  rateClass: 'write',
  body: WidgetInstancePatch,
  response: WidgetInstance,
  audit: 'widget_instance.updated',
  async handle({ sql, teamId, params: { id }, body, checkPrecondition, services }) {
    const before = await lockWidgetInstance(sql, teamId, id);
    checkPrecondition(before);
    const content = writeWidget(before, body);
    if (content.widget_kind !== before.widget_kind) {
      throw fail('immutable_field', {
        detail: 'widget_kind cannot be changed; create another widget.',
        meta: { pointer: '/widget_kind' },
      });
    }
    if (!changedFields(WidgetInstance, before, { ...before, ...content })) return before;
    const { allowLoopback } = services.config.webhooks;
    const problems = widgetProblems(body, content, allowLoopback);
    if (problems.length > 0) throw failAll(problems);
    await checkTemplate(sql, teamId, before, content);
    return updateWidgetInstanceRow(sql, before, content);
  },
});

export const deleteWidgetInstance = endpoint({
  id: 'deleteWidgetInstance',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a widget',
  description:
    'Deletes a widget permanently. Pages that embed it show nothing, and its tokens open ' +
    'nothing. Archive it instead where it may return.',
  tag,
  scope: 'partner:widgets:delete',
  rateClass: 'write',
  audit: 'widget_instance.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const before = await lockWidgetInstance(sql, teamId, id);
    checkPrecondition(before);
    await stampWidgetInstance(sql, before, { deleted_at: new Date().toISOString() });
    return undefined;
  },
});

export const archiveWidgetInstance = endpoint({
  id: 'archiveWidgetInstance',
  method: 'POST',
  path: `${path}/{id}/archive`,
  summary: 'Archive a widget; pages that embed it show nothing',
  description:
    'Archives a widget. Pages that embed it show nothing. A widget that is archived is ' +
    'refused with 409. It can be unarchived.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  response: WidgetInstance,
  audit: 'widget_instance.archived',
  async handle(call) {
    const before = await lockFor(call, 'archive');
    return stampWidgetInstance(call.sql, before, { archived_at: new Date().toISOString() });
  },
});

export const unarchiveWidgetInstance = endpoint({
  id: 'unarchiveWidgetInstance',
  method: 'POST',
  path: `${path}/{id}/unarchive`,
  summary: 'Unarchive a widget',
  description:
    'Unarchives a widget. Pages that embed it show it again where it is active. ' +
    'A widget that is not archived is refused with 409.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  response: WidgetInstance,
  audit: 'widget_instance.unarchived',
  async handle(call) {
    const before = await lockFor(call, 'unarchive');
    return stampWidgetInstance(call.sql, before, { archived_at: null });
  },
});

export const widgetInstanceEndpoints = [
  listWidgetInstances,
  createWidgetInstance,
  getWidgetInstance,
  updateWidgetInstance,
  deleteWidgetInstance,
  archiveWidgetInstance,
  unarchiveWidgetInstance,
];

async function lockFor(
  {
    sql,
    teamId,
    params,
    checkPrecondition,
  }: Pick<
    Call<{ id: string }, unknown, unknown>,
    'sql' | 'teamId' | 'params' | 'checkPrecondition'
  >,
  action: WidgetAction,
): Promise<WidgetInstanceRow> {
  const row = await lockWidgetInstance(sql, teamId, params.id);
  checkPrecondition(row);
  const allowed_actions = allowedActions(row);
  if (allowed_actions.includes(action)) return row;
  const state = row.is_archived ? 'archived' : 'active';
  throw fail('invalid_state_transition', {
    detail: `The widget is ${row.is_archived ? '' : 'not '}archived; ${action} is not possible.`,
    meta: { resource: 'widget_instance', state, action, allowed_actions },
  });
}

/** A template that is newly named must be one of the team. */
async function checkTemplate(
  sql: Sql,
  teamId: string,
  before: WidgetContent,
  after: WidgetContent,
) {
  const { template_id } = after;
  if (template_id === null || template_id === before.template_id) return;
  if (await findTemplateForUpdate(sql, teamId, template_id)) return;
  throw fail('validation_failed', {
    detail: 'template_id: the team has no such template.',
    meta: { pointer: '/template_id', rule: 'reference_not_found' },
  });
}
