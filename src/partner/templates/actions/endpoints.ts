import { Type } from 'typebox';
import { Text, Timestamp } from '../../../fields.ts';
import { endpoint } from '../../../http/endpoint.ts';
import type { Call } from '../../../http/endpoint.ts';
import { messageSteps } from '../../messages/message.ts';
import { followCopiedPages } from '../../messages/queries.ts';
import { pageSteps } from '../../pages/page.ts';
import { columnsOf } from '../edit.ts';
import { actOn, addTemplate, lockTemplate as lockRow } from '../lifecycle.ts';
import { requireTemplate } from '../queries.ts';
import type { TemplateRow } from '../queries.ts';
import type { ClientAction } from '../rules.ts';
import { copySteps } from '../steps/queries.ts';
import { Template } from '../template.ts';

const tag = 'Templates';
const scope = 'partner:templates:write';

type ActionCall = Pick<
  Call<{ id: string }, unknown, unknown>,
  'sql' | 'teamId' | 'params' | 'principal' | 'checkPrecondition'
>;

async function act(
  { sql, teamId, params, principal, checkPrecondition }: ActionCall,
  action: ClientAction,
  scheduledAt?: string,
): Promise<TemplateRow> {
  const row = await lockRow(sql, teamId, params.id);
  checkPrecondition(row);
  return actOn(sql, row, action, principal.clientId, scheduledAt);
}

/** What the audit trail calls each action. */
const verbs = {
  unschedule: 'unscheduled',
  launch: 'launched',
  pause: 'paused',
  resume: 'resumed',
  expire: 'expired',
  archive: 'archived',
  unarchive: 'unarchived',
  lock: 'locked',
  unlock: 'unlocked',
} as const satisfies Record<Exclude<ClientAction, 'schedule'>, string>;

/** Declares an action that takes no body; what it may do and does is in rules.ts. */
function action(id: string, name: keyof typeof verbs, summary: string) {
  return endpoint({
    id,
    method: 'POST',
    path: `/v2/partner/templates/{id}/${name}`,
    summary,
    tag,
    scope,
    rateClass: 'execute',
    response: Template,
    audit: `template.${verbs[name]}`,
    handle: (call) => act(call, name),
  });
}

export const scheduleTemplate = endpoint({
  id: 'scheduleTemplate',
  method: 'POST',
  path: '/v2/partner/templates/{id}/schedule',
  summary: 'Let a complete template launch by itself at a time within a year, or move that time',
  tag,
  scope,
  rateClass: 'execute',
  body: Type.Object({ scheduled_at: Timestamp() }, { additionalProperties: false }),
  response: Template,
  audit: 'template.scheduled',
  handle: (call) => act(call, 'schedule', new Date(call.body.scheduled_at).toISOString()),
});

export const unscheduleTemplate = action(
  'unscheduleTemplate',
  'unschedule',
  'Take the time to launch away; the template is a draft again',
);
export const launchTemplate = action(
  'launchTemplate',
  'launch',
  'Launch a complete template now: its content is kept as a version and locked',
);
export const pauseTemplate = action(
  'pauseTemplate',
  'pause',
  'Hold enrolments and sends; the deadline keeps running',
);
export const resumeTemplate = action('resumeTemplate', 'resume', 'Go on after a pause');
export const expireTemplate = action(
  'expireTemplate',
  'expire',
  'End a template before its deadline',
);
export const archiveTemplate = action(
  'archiveTemplate',
  'archive',
  'Archive a template that is not launched; pause it first',
);
export const unarchiveTemplate = action(
  'unarchiveTemplate',
  'unarchive',
  'Take a template out of the archive: a draft, expired, or else paused',
);
export const lockTemplate = action('lockTemplate', 'lock', 'Lock a template against edits');
export const unlockTemplate = action(
  'unlockTemplate',
  'unlock',
  'Allow edits again; not while launched or scheduled',
);

export const duplicateTemplate = endpoint({
  id: 'duplicateTemplate',
  method: 'POST',
  path: '/v2/partner/templates/{id}/duplicate',
  summary: 'Make a draft with the same objectives, pages and messages',
  tag,
  scope,
  rateClass: 'execute',
  body: Type.Object({ name: Type.Optional(Text(120)) }, { additionalProperties: false }),
  bodyOptional: true,
  status: 201,
  response: Template,
  location: '/v2/partner/templates/{id}',
  audit: 'template.created',
  async handle({ sql, teamId, principal, params: { id }, body }) {
    const original = await requireTemplate(sql, teamId, id);
    const copy = {
      ...columnsOf(original),
      name: body.name ?? `${original.name.slice(0, 113)} (copy)`,
      // The time that the original has to end says nothing of the copy.
      deadline_at: null,
      objective_ids: original.objective_ids,
    };
    return addTemplate(sql, { teamId, clientId: principal.clientId }, copy, async (copyId) => {
      const copies = await copySteps(sql, pageSteps, teamId, id, copyId);
      await copySteps(sql, messageSteps, teamId, id, copyId);
      await followCopiedPages(sql, teamId, copyId, copies);
    });
  },
});

export const templateActionEndpoints = [
  scheduleTemplate,
  unscheduleTemplate,
  launchTemplate,
  pauseTemplate,
  resumeTemplate,
  expireTemplate,
  archiveTemplate,
  unarchiveTemplate,
  lockTemplate,
  unlockTemplate,
  duplicateTemplate,
];
