import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { Id, Text } from '../../platform/schema/fields.ts';
import { checkScopes } from '../../platform/http/authorize.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import { findReferred } from '../../contacts/lookup/contact-reference.ts';
import { executionBelow } from '../ipaas/executions/execution-below.ts';
import { OperationExecution } from '../ipaas/executions/operation-execution.ts';
import { templatesEnrollCohort } from '../catalog/templates-enroll-cohort.ts';
import { startRun } from '../runs/start.ts';
import { unknownCohorts } from '../../cohorts/queries.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { JourneyDetails } from '../../journeys/journey.ts';
import { linkUrl } from '../../messaging/journey-link.ts';
import { requireJourney } from '../../journeys/queries.ts';
import {
  enroll,
  lockForEnrollment,
  refusalProblem,
  takesRecipients,
} from '../../journeys/enrollment/enroll.ts';

const tag = 'Journeys';
const path = '/v2/partner/templates/{id}/enrollments';
const executions = '/v2/partner/templates/{id}/enrollment-executions';

const one = 'One of the four fields';
const Enrollment = Type.Object(
  {
    contact_id: Type.Optional(Id(one)),
    contact_unique_id: Type.Optional(Text(255, `The partner’s own key of the contact. ${one}`)),
    unique_id: Type.Optional(Text(255, 'The same as contact_unique_id')),
    cohort_id: Type.Optional(Id('All members of a cohort, by an execution')),
  },
  { additionalProperties: false },
);

export const enrollInTemplate = endpoint({
  id: 'enrollInTemplate',
  method: 'POST',
  path,
  summary: 'Enroll a contact in a launched template (201), or all members of a cohort (202)',
  description:
    'Enrolls one contact in a launched template, or all members of a cohort. One contact is ' +
    'enrolled within the request, and the answer has the link for the recipient. A cohort is ' +
    'enrolled in the background: the answer is 202, and the address in Location shows the ' +
    'progress. A contact whom a rule of the template excludes is refused with 409. A contact ' +
    'with an open journey there is refused with already_enrolled.',
  errors: [
    'invalid_state_transition',
    'already_enrolled',
    'enrollment_refused',
    'contact_merged',
    'resource_erased',
    'too_many_operations',
  ],
  tag,
  scope: 'partner:journeys:execute',
  rateClass: 'execute',
  audit: { accepted: 'operation_execution.created', otherwise: 'contact_data' },
  body: Enrollment,
  status: 201,
  response: JourneyDetails,
  accepted: OperationExecution,
  answerHeaders: ['Retry-After'],
  location: '/v2/partner/journeys/{id}',
  // The link alone gives access to the journey.
  showsSecret: true,
  async handle(call) {
    const { sql, teamId, params, body, services } = call;
    checkNamed(body);
    const template = await lockForEnrollment(sql, teamId, params.id);
    if (body.cohort_id !== undefined) return enrollMembers(call, template, body.cohort_id);
    const contactId = await findReferredId(sql, teamId, body);
    const [judged] = await enroll(sql, template, { contactIds: [contactId], via: 'api' });
    if (!judged || judged.refusal !== null || judged.journey_id === null) {
      throw failAll([refusalProblem(template, judged)]);
    }
    const journey = await requireJourney(sql, teamId, judged.journey_id);
    const { config, keyring } = services;
    return { ...journey, link_url: linkUrl(config.publicBaseUrl, keyring, journey) };
  },
});

/** Throws 422 unless a body names one contact or one cohort. */
function checkNamed(body: Static<typeof Enrollment>): void {
  const [first, second] = Object.keys(body);
  if (first !== undefined && second === undefined) return;
  throw fail('validation_failed', {
    detail: 'Send one of contact_id, contact_unique_id, unique_id and cohort_id.',
    meta: { pointer: `/${second ?? 'contact_id'}`, rule: first ? 'exclusive' : 'required' },
  });
}

/** Throws 422 where the team has no such contact. */
async function findReferredId(
  sql: Sql,
  teamId: string,
  { contact_id, contact_unique_id, unique_id }: Static<typeof Enrollment>,
): Promise<string> {
  const key = contact_unique_id ?? unique_id;
  const item = { ...(contact_id && { contact_id }), ...(key && { contact_unique_id: key }) };
  const [found] = await findReferred(sql, teamId, [item], { isLocked: false });
  if (found && 'contact' in found) return found.contact.id;
  const field = unique_id === undefined ? undefined : { pointer: '/unique_id' };
  throw failAll(
    (found?.problems ?? []).map((one) => ({ ...one, meta: { ...one.meta, ...field } })),
  );
}

type Sent = Pick<Call<unknown, unknown, unknown>, 'sql' | 'teamId' | 'principal'>;

/** Starts an execution that enrolls the members, unless all of them are refused. */
async function enrollMembers(
  { sql, teamId, principal }: Sent,
  template: TemplateRow,
  cohortId: string,
) {
  checkScopes(principal, ...templatesEnrollCohort.scopes);
  const unknown = await unknownCohorts(sql, teamId, [cohortId.toLowerCase()]);
  if (unknown.size > 0) {
    throw fail('validation_failed', {
      detail: 'The team has no such cohort.',
      meta: { pointer: '/cohort_id', rule: 'reference_not_found' },
    });
  }
  if (!takesRecipients(template)) throw failAll([refusalProblem(template, undefined)]);
  const run = await startRun(sql, {
    teamId,
    principal,
    operation: templatesEnrollCohort,
    surface: 'ipaas',
    source: 'inline',
    items: [{ template_id: template.id, cohort_id: cohortId.toLowerCase() }],
    subjectId: template.id,
  });
  const place = executions.replace('{id}', template.id);
  const headers = { Location: `${place}/${run.id}`, 'Retry-After': '1' };
  return new Answer(run, { isAccepted: true, headers });
}

export const getEnrollmentExecution = executionBelow({
  id: 'getEnrollmentExecution',
  path: executions,
  summary: 'Get the progress of an enrollment of all members of a cohort',
  description:
    'Returns the progress of the enrollment of a cohort. Until it has finished, the answer ' +
    'carries Retry-After. Executions are kept for seven days.',
  tag,
  scope: 'partner:journeys:execute',
  operation: templatesEnrollCohort,
});

export const enrollmentEndpoints = [enrollInTemplate, getEnrollmentExecution];
