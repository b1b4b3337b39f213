import { requireTemplate } from '../../campaigns/templates/queries.ts';
import { requireContact } from '../../contacts/queries.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { EnrollmentExplanation } from '../journey.ts';
import { explainForContact } from './explain.ts';

export const explainEnrollment = endpoint({
  id: 'explainEnrollment',
  method: 'GET',
  path: '/v2/partner/templates/{id}/enrollments/{contact_id}/explain',
  keyParams: ['contact_id'],
  summary: 'Explain the enrollment of a contact in a template, rule by rule',
  description:
    'Returns whether a contact is or could be in a template, rule by rule. It works for ' +
    'contacts that were never enrolled. Nothing is changed. Use it to find out why a ' +
    'contact received nothing.',
  errors: ['resource_erased', 'contact_merged'],
  tag: 'Journeys',
  scope: 'partner:journeys:read',
  rateClass: 'read',
  response: EnrollmentExplanation,
  async handle({ sql, teamId, principal, params }) {
    const template = await requireTemplate(sql, teamId, params.id);
    const contact = await requireContact(sql, teamId, params.contact_id);
    return explainForContact(sql, principal, template, contact.id);
  },
});

export const enrollmentExplanationEndpoints = [explainEnrollment];
