import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { failAll } from '../../platform/http/errors.ts';
import { explainForContact } from '../../journeys/enrollment/explain.ts';
import { EnrollmentExplanation } from '../../journeys/journey.ts';
import { requireTemplate } from '../../campaigns/templates/queries.ts';
import { contactReference, findReferred } from '../../contacts/lookup/contact-reference.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const journeysExplain = operation({
  kind: 'journeys.explain',
  category: 'journeys',
  summary: 'Explain the enrollment of a contact in a template, rule by rule, and its messages',
  idempotencyMode: 'natural',
  failureMode: 'transactional',
  executionMode: 'sync',
  scopes: ['partner:journeys:read'],
  rateLimitClass: 'read',
  audit: { none: 'question' },
  input: Type.Object({ template_id: Id(), ...contactReference }, { additionalProperties: false }),
  output: EnrollmentExplanation,
  apply: oneByOne(async ({ sql, teamId, principal }, item) => {
    const template = await requireTemplate(sql, teamId, item.template_id);
    const [found] = await findReferred(sql, teamId, [item], { isLocked: false });
    if (!found || 'problems' in found) throw failAll(found?.problems ?? []);
    const explanation = await explainForContact(sql, principal, template, found.contact.id);
    return { status: 'unchanged', row: { id: template.id, type: 'template', ...explanation } };
  }),
});
