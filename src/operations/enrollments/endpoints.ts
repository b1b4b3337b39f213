import { checkScopes } from '../../platform/http/authorize.ts';
import { Answer } from '../../platform/http/endpoint.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { HttpError, fail, failAll } from '../../platform/http/errors.ts';
import { groupedEndpoint } from '../../platform/http/grouped-endpoint.ts';
import type { Services } from '../../platform/http/services.ts';
import { executionBelow } from '../ipaas/executions/execution-below.ts';
import { OperationExecution } from '../ipaas/executions/operation-execution.ts';
import { templatesEnrollCohort } from '../catalog/templates-enroll-cohort.ts';
import { startRun } from '../runs/start.ts';
import { unknownCohorts } from '../../cohorts/queries.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { JourneyDetails } from '../../journeys/journey.ts';
import type { JourneyRow } from '../../journeys/journey.ts';
import { linkUrl } from '../../messaging/journey-link.ts';
import {
  lockForEnrollment,
  refusalProblem,
  takesRecipients,
} from '../../journeys/enrollment/enroll.ts';
import { Enrollment, enrollContacts, namesCohort } from './enroll-contacts.ts';

const tag = 'Journeys';
const path = '/v2/partner/templates/{id}/enrollments';
const executions = '/v2/partner/templates/{id}/enrollment-executions';

export const enrollInTemplate = groupedEndpoint({
  id: 'enrollInTemplate',
  method: 'POST',
  path,
  summary: 'Enroll a contact in a launched template (201), or all members of a cohort (202)',
  description:
    'Enrolls one contact in a launched template, or all members of a cohort. One contact is ' +
    'enrolled within the request, and the answer has the link for the recipient. A cohort is ' +
    'enrolled in the background: the answer is 202, and the address in Location shows the ' +
    'progress. A contact whom a rule of the template excludes is refused with 409, and one with ' +
    'an open journey there with already_enrolled. The messages of the journey show `data`.',
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
    if (namesCohort(body)) {
      return enrollMembers(call, await lockForEnrollment(sql, teamId, params.id), body.cohort_id);
    }
    const { keyring } = services;
    const [outcome] = await enrollContacts({ sql, teamId, keyring }, [call]);
    if (!outcome || outcome instanceof HttpError) throw outcome ?? new Error('no outcome');
    return withLink(services, outcome);
  },
  together: {
    admits: ({ body }) => !namesCohort(body),
    async handle({ sql, teamId, services }, calls) {
      const { keyring } = services;
      const outcomes = await enrollContacts({ sql, teamId, keyring }, calls);
      return outcomes.map((outcome) =>
        outcome instanceof HttpError ? outcome : withLink(services, outcome),
      );
    },
  },
});

const withLink = ({ config, keyring }: Services, journey: JourneyRow) => ({
  ...journey,
  link_url: linkUrl(config.publicBaseUrl, keyring, journey),
});

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
