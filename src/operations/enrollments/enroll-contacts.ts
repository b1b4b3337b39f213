import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { traceRow } from '../../platform/database/transaction-trace.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { HttpError, fail, failAll, refusalOf } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { Id, Text } from '../../platform/schema/fields.ts';
import { findReferred } from '../../contacts/lookup/contact-reference.ts';
import { lockForEnrollment, refusalProblem } from '../../journeys/enrollment/enroll.ts';
import {
  EnrollmentData,
  enrollWithData,
  enrollmentDataProblems,
} from '../../journeys/enrollment/enroll-with-data.ts';
import type { JourneyRow } from '../../journeys/journey.ts';
import { findJourneys } from '../../journeys/queries.ts';

const one = 'One of the four fields';
export const Enrollment = Type.Object(
  {
    contact_id: Type.Optional(Id(one)),
    contact_unique_id: Type.Optional(Text(255, `The partner’s own key of the contact. ${one}`)),
    unique_id: Type.Optional(Text(255, 'The same as contact_unique_id')),
    cohort_id: Type.Optional(Id('All members of a cohort, by an execution, without data')),
    data: EnrollmentData,
  },
  { additionalProperties: false },
);
type Body = Static<typeof Enrollment>;

/** Whether a body names a cohort and nothing else. */
export const namesCohort = (body: Body): body is Body & { cohort_id: string } =>
  body.cohort_id !== undefined && Object.keys(body).length === 1;

/** The error of a body that does not name exactly one contact. */
function wrongNames(body: Body): HttpError | undefined {
  const [first, second] = Object.keys(body).filter((field) => field !== 'data');
  if (first === undefined || second !== undefined) {
    return fail('validation_failed', {
      detail: 'Send one of contact_id, contact_unique_id, unique_id and cohort_id.',
      meta: { pointer: `/${second ?? 'contact_id'}`, rule: first ? 'exclusive' : 'required' },
    });
  }
  if (body.cohort_id === undefined) return undefined;
  return fail('validation_failed', {
    detail: 'data is for one contact. Leave it out with cohort_id.',
    meta: { pointer: '/data', rule: 'exclusive' },
  });
}

interface Surroundings {
  sql: Sql;
  teamId: string;
  keyring: Keyring;
}

type EnrollmentCall = Pick<Call<{ id: string }, undefined, Body>, 'params' | 'body' | 'request'>;

/**
 * Enrolls the contacts that calls name, those of one template as one set. Returns for each call its
 * journey or its error.
 */
export async function enrollContacts(
  surroundings: Surroundings,
  calls: readonly EnrollmentCall[],
): Promise<(JourneyRow | HttpError)[]> {
  const outcomes = new Map<EnrollmentCall, JourneyRow | HttpError>();
  const sound: EnrollmentCall[] = [];
  for (const call of calls) {
    const error = wrongNames(call.body);
    if (error) outcomes.set(call, error);
    else sound.push(call);
  }
  const byTemplate = groupBy(sound, ({ params }) => params.id);
  // In one order, since each template is locked until the end of the transaction.
  for (const templateId of [...byTemplate.keys()].sort()) {
    const group = byTemplate.get(templateId) ?? [];
    const enrolled = await enrollInOne(surroundings, templateId, group);
    for (const [at, call] of group.entries()) {
      const outcome = enrolled[at];
      if (outcome) outcomes.set(call, outcome);
    }
  }
  return calls.map((call) => {
    const outcome = outcomes.get(call);
    if (!outcome) throw new Error('a call has no outcome');
    return outcome;
  });
}

async function enrollInOne(
  { sql, teamId, keyring }: Surroundings,
  templateId: string,
  calls: readonly EnrollmentCall[],
): Promise<(JourneyRow | HttpError)[]> {
  const template = await lockForEnrollment(sql, teamId, templateId).catch(refusalOf);
  if (template instanceof HttpError) return calls.map(() => template);
  const references = calls.map(({ body }) => referenceOf(body));
  const referred = await findReferred(sql, teamId, references, { isLocked: false });
  const problems = await enrollmentDataProblems(
    sql,
    template,
    calls.map(({ body }) => body.data),
  );
  const requested = calls.flatMap(({ body: { data }, request }, at) => {
    const found = referred[at];
    if (!found || 'problems' in found || problems[at]?.length !== 0) return [];
    return [{ contactId: found.contact.id, data, span: request.trace.span }];
  });
  // Backwards, since the first call for a contact is the one that enrolls it.
  for (const { contactId, span } of [...requested].reverse()) traceRow(sql, contactId, span);
  const evaluated = await enrollWithData({ sql, keyring }, template, requested, 'api');
  const evaluations = new Map(evaluated.map((evaluation) => [evaluation.contact_id, evaluation]));
  const enrolledIds = evaluated.flatMap(({ refusal, journey_id }) =>
    refusal === null && journey_id !== null ? [journey_id] : [],
  );
  const rows = await findJourneys(sql, teamId, enrolledIds);
  const journeys = new Map(rows.map((row) => [row.contact_id, row]));
  return calls.map(({ body }, at) => {
    const found = referred[at];
    if (!found) throw new Error('a call has no contact');
    const wrong = [
      ...('problems' in found ? problemsOf(body, found.problems) : []),
      ...(problems[at] ?? []),
    ];
    if ('problems' in found || wrong.length > 0) return failAll(wrong);
    const { id } = found.contact;
    const evaluation = evaluations.get(id);
    const journey = journeys.get(id);
    if (!journey || !evaluation) return failAll([refusalProblem(template, evaluation)]);
    // The next call for this contact finds it enrolled.
    journeys.delete(id);
    evaluations.set(id, { ...evaluation, refusal: 'already_enrolled' });
    return journey;
  });
}

function referenceOf({ contact_id, contact_unique_id, unique_id }: Body) {
  const key = contact_unique_id ?? unique_id;
  return { ...(contact_id && { contact_id }), ...(key && { contact_unique_id: key }) };
}

/** Problems of a reference, at the field that was sent. */
function problemsOf({ unique_id }: Body, problems: readonly Problem[]) {
  const field = unique_id === undefined ? undefined : { pointer: '/unique_id' };
  return problems.map((problem) => ({ ...problem, meta: { ...problem.meta, ...field } }));
}
