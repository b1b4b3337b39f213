import { randomBytes } from 'node:crypto';
import { changedFields } from '../../platform/events/record.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import { findTemplateForUpdate } from '../../campaigns/templates/queries.ts';
import { widgetInstances } from './queries.ts';
import { inStoredForm, maxWidgetInstances, widgetProblems } from './rules.ts';
import type { Written } from './rules.ts';
import { WidgetInstance, widgetInstanceListFields } from './widget-instance.ts';
import type { WidgetInstanceRow } from './widget-instance.ts';

const standard = standardEndpoints(widgetInstances, {
  tag: 'Widgets',
  path: '/v2/partner/widget-instances',
  scope: 'partner:widgets',
});

export const listWidgetInstances = standard.list({
  summary: 'List widgets; archived ones only where a filter names is_archived',
  description:
    'Returns the widgets of the team. Archived widgets are returned only where a filter names ' +
    'is_archived. The publishable_key of each names it on a page; it is no secret.',
  fields: widgetInstanceListFields,
  defaultSort: '-inserted_at',
});

export const createWidgetInstance = standard.create({
  summary: 'Create a widget',
  description:
    'Creates a widget that pages of the allowed origins can embed. The kind is fixed ' +
    'afterwards. A team has at most 100 widgets. Create a token for each recipient with the ' +
    'operation createWidgetToken.',
  quota: maxWidgetInstances,
  async handle(call) {
    const content = inStoredForm(call.body);
    await checkContent(call, content.widget_kind);
    return widgetInstances.insert(call.sql, call.teamId, {
      ...content,
      allowed_origins: content.allowed_origins ?? [],
      is_active: content.is_active ?? true,
      publishable_key: `wpk_${randomBytes(24).toString('base64url')}`,
    });
  },
});

export const getWidgetInstance = standard.get({
  summary: 'Get a widget',
  description:
    'Returns one widget with its settings and allowed origins. Pages of other origins cannot ' +
    'embed it. The publishable_key is no secret.',
});

export const updateWidgetInstance = standard.update({
  summary: 'Update a widget; its kind cannot be changed',
  description:
    'Changes the fields that the body names. The kind is fixed. Pages that embed the widget ' +
    'follow the change with their next call. The change is recorded in the audit trail.',
  async handle(call, before) {
    const content = inStoredForm(widgetInstances.change(before, call.body));
    if (!changedFields(WidgetInstance, before, { ...before, ...content })) return before;
    await checkContent(call, before.widget_kind, before);
    return widgetInstances.update(call.sql, before, content);
  },
});

export const deleteWidgetInstance = standard.delete({
  summary: 'Delete a widget',
  description:
    'Deletes a widget permanently. Pages that embed it show nothing, and its tokens open ' +
    'nothing. Archive it instead where it may return.',
});

export const archiveWidgetInstance = standard.archive({
  summary: 'Archive a widget; pages that embed it show nothing',
  description:
    'Archives a widget. Pages that embed it show nothing. A widget that is archived is ' +
    'refused with 409. It can be unarchived.',
});

export const unarchiveWidgetInstance = standard.unarchive({
  summary: 'Unarchive a widget',
  description:
    'Unarchives a widget. Pages that embed it show it again where it is active. ' +
    'A widget that is not archived is refused with 409.',
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

/** Throws 422. A template that is newly named must be one of the team. */
async function checkContent(
  {
    sql,
    teamId,
    body,
    services,
  }: Pick<Call<unknown, unknown, Written>, 'sql' | 'teamId' | 'body' | 'services'>,
  kind: WidgetInstanceRow['widget_kind'],
  before?: WidgetInstanceRow,
) {
  const problems = widgetProblems(body, kind, services.config.webhooks.allowLoopback);
  if (problems.length > 0) throw failAll(problems);
  const templateId = body.template_id?.toLowerCase();
  if (templateId === undefined || templateId === before?.template_id) return;
  if (await findTemplateForUpdate(sql, teamId, templateId)) return;
  throw fail('validation_failed', {
    detail: 'template_id: the team has no such template.',
    meta: { pointer: '/template_id', rule: 'reference_not_found' },
  });
}
