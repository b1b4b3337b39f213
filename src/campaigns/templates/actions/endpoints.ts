import { Type } from 'typebox';
import { Text, Timestamp } from '../../../platform/schema/fields.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import type { Call } from '../../../platform/http/endpoint.ts';
import type { ErrorCode } from '../../../platform/http/error-catalog.ts';
import { inUtc } from '../../../platform/time/rules.ts';
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
import { cutShown } from '../../../platform/cut-text.ts';

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

/** Verb of each action in the audit trail. */
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

/** Why an action may be refused; its state is wrong for all of them. */
const refusals: Partial<Record<keyof typeof verbs, readonly ErrorCode[]>> = {
  launch: ['deadline_passed', 'template_incomplete'],
  resume: ['deadline_passed', 'template_incomplete'],
  unlock: ['template_locked'],
};

/** Declares an action without a body; rules.ts defines its transitions. */
function action(id: string, name: keyof typeof verbs, summary: string, description: string) {
  return endpoint({
    id,
    method: 'POST',
    path: `/v2/partner/templates/{id}/${name}`,
    summary,
    description,
    errors: ['invalid_state_transition', 'precondition_failed', ...(refusals[name] ?? [])],
    tag,
    scope,
    rateClass: 'execute',
    response: Template,
    showsWriters: name === 'unarchive',
    audit: `template.${verbs[name]}`,
    handle: (call) => act(call, name),
  });
}

export const scheduleTemplate = endpoint({
  id: 'scheduleTemplate',
  method: 'POST',
  path: '/v2/partner/templates/{id}/schedule',
  summary: 'Schedule or reschedule the launch of a complete template, at most a year ahead',
  description:
    'Schedules the launch of a complete template for a time within a year, or moves that ' +
    'time. The template launches by itself at that time. Where it is no longer complete then, ' +
    'it becomes a draft again and the event template.launch_failed is recorded. The event ' +
    'template.scheduled is recorded now.',
  errors: [
    'invalid_state_transition',
    'template_incomplete',
    'deadline_passed',
    'precondition_failed',
  ],
  tag,
  scope,
  rateClass: 'execute',
  body: Type.Object({ scheduled_at: Timestamp() }, { additionalProperties: false }),
  response: Template,
  audit: 'template.scheduled',
  handle: (call) => act(call, 'schedule', inUtc(call.body.scheduled_at)),
});

export const unscheduleTemplate = action(
  'unscheduleTemplate',
  'unschedule',
  'Unschedule a template; it becomes a draft',
  'Removes the time of the launch, so that the template is a draft again. A template that ' +
    'is not scheduled is refused with 409. The event template.updated is recorded.',
);
export const launchTemplate = action(
  'launchTemplate',
  'launch',
  'Launch a complete template now; its content is locked and saved as a version',
  'Launches a complete template now. Its content is stored as a version and locked. An ' +
    'incomplete template is refused with 422, and meta.missing names the gaps. The event ' +
    'template.launched is recorded. Enroll contacts next.',
);
export const pauseTemplate = action(
  'pauseTemplate',
  'pause',
  'Pause enrollments and sends; the deadline still applies',
  'Pauses enrollments and messages of a launched template. The deadline continues, and ' +
    'journeys stay as they are. The event template.paused is recorded. Edit the template ' +
    'where needed, then resume it.',
);
export const resumeTemplate = action(
  'resumeTemplate',
  'resume',
  'Resume a paused template',
  'Continues a paused template. Content that was edited during the pause becomes a new ' +
    'version for journeys that start from then on. The event template.resumed is recorded. ' +
    'An incomplete template is refused with 422.',
);
export const expireTemplate = action(
  'expireTemplate',
  'expire',
  'Expire a template before its deadline',
  'Ends a template before its deadline, with its open journeys. It cannot be launched ' +
    'again as it is: duplicate it instead. The event template.expired is recorded.',
);
export const archiveTemplate = action(
  'archiveTemplate',
  'archive',
  'Archive a template that is not launched; pause a launched one first',
  'Archives a template that is not launched. A launched template is refused with 409: ' +
    'pause it first. The event template.archived is recorded. It can be unarchived.',
);
export const unarchiveTemplate = action(
  'unarchiveTemplate',
  'unarchive',
  'Unarchive a template; it becomes a draft, expired or paused',
  'Unarchives a template. A template that was never launched is a draft ' +
    'again; one that was launched is paused, or expired where its deadline has passed. The ' +
    'event template.unarchived is recorded.',
);
export const lockTemplate = action(
  'lockTemplate',
  'lock',
  'Lock a template against edits',
  'Locks a template against edits, except for name, description, deadline_at and ' +
    'send_rate_per_minute. The status does not change. The event template.locked is ' +
    'recorded.',
);
export const unlockTemplate = action(
  'unlockTemplate',
  'unlock',
  'Unlock a template for edits, unless it is launched or scheduled',
  'Allows edits of a locked template again. A template that is launched or scheduled ' +
    'stays locked and is refused with 409: pause or unschedule it first. The event ' +
    'template.updated is recorded.',
);

export const duplicateTemplate = endpoint({
  id: 'duplicateTemplate',
  method: 'POST',
  path: '/v2/partner/templates/{id}/duplicate',
  summary: 'Duplicate a template as a draft with the same objectives, pages and messages',
  description:
    'Creates a draft with the same objectives, pages and messages. The deadline is not ' +
    'copied. The name gets the suffix (copy) unless the body has a name. Journeys and ' +
    'statistics stay with the original.',
  errors: ['quota_exceeded'],
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
      name: body.name ?? `${cutShown(original.name, 113)} (copy)`,
      // The deadline of the original does not apply to the copy.
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
