import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { actOn, lockTemplate } from '../../campaigns/templates/lifecycle.ts';
import { Template } from '../../campaigns/templates/template.ts';
import { audited } from '../audited.ts';
import { oneByOne, operation } from '../operation-type.ts';

/** Declares an action on a template; where it has the status already, it stays as it is. */
function templateOperation(
  action: 'launch' | 'pause',
  status: 'launched' | 'paused',
  summary: string,
) {
  return operation({
    kind: `templates.${action}`,
    category: 'templates',
    summary,
    notes: `A template that is ${status} already stays as it is.`,
    idempotencyMode: 'natural',
    failureMode: 'transactional',
    executionMode: 'sync',
    scopes: ['partner:templates:write'],
    outputScope: 'partner:templates:read',
    rateLimitClass: 'execute',
    audit: { byHandler: `template.${status}` },
    input: Type.Object({ template_id: Id() }, { additionalProperties: false }),
    output: Template,
    apply: oneByOne(async (call, { template_id }) => {
      const { sql, teamId, principal } = call;
      const before = await lockTemplate(sql, teamId, template_id);
      if (before.status === status) return { status: 'unchanged', row: before };
      const after = await actOn(sql, before, action, principal.clientId);
      const about = { action: `template.${status}`, schema: Template };
      return { status: 'updated', row: audited(call, about, { before, after }) };
    }),
  });
}

export const templatesLaunch = templateOperation(
  'launch',
  'launched',
  'Launch a complete template now; its content is locked and saved as a version',
);
export const templatesPause = templateOperation(
  'pause',
  'paused',
  'Hold the enrollments and sends of a template; the deadline keeps running',
);
