import { journeyEnrolled, journeyStarted } from '../events.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { insertJourneyEvents } from '../../engagement/engagement-events/queries.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { lockTemplate } from '../../campaigns/templates/lifecycle.ts';
import { lockEnrollmentRules, requireTemplate } from '../../campaigns/templates/queries.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { allowedActions, dueTransition } from '../../campaigns/templates/rules.ts';
import { refusalWords } from '../rules.ts';
import { publishToSubscribers } from '../publish.ts';
import { findOpenJourneys, insertJourneys } from './queries.ts';
import type { EnrollmentRequest, Evaluated } from './queries.ts';

/**
 * Keeps a template from being paused or ended until the transaction is over, and reads it; what is
 * due by the clock is applied first (ADR 25). Throws 404.
 */
export async function lockForEnrollment(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<TemplateRow> {
  const seen = await requireTemplate(sql, teamId, id);
  if (dueTransition(seen, Date.now())) return lockTemplate(sql, teamId, id);
  await lockEnrollmentRules(sql, id, { isShared: true });
  return requireTemplate(sql, teamId, id);
}

/**
 * Enrolls contacts of the team in a template from `lockForEnrollment`, in the caller's transaction.
 * Returns one outcome for each contact; archived contacts are refused.
 */
export async function enroll(
  sql: Sql,
  template: TemplateRow,
  request: EnrollmentRequest,
): Promise<Evaluated[]> {
  if (!takesRecipients(template)) {
    return [...new Set(request.contactIds)].map((contact_id) => ({
      contact_id,
      journey_id: null,
      refusal: 'template_not_launched',
      has_begun: false,
    }));
  }
  const evaluated = await insertJourneys(sql, template, request, (journeys) =>
    insertJourneyEvents(sql, template.team_id, journeys),
  );
  const enrolled = evaluated.flatMap(({ journey_id, refusal, has_begun }) =>
    refusal === null && journey_id !== null ? [{ id: journey_id, has_begun }] : [],
  );
  const begun = enrolled.filter((journey) => journey.has_begun);
  await publishToSubscribers(sql, template.team_id, [
    { type: journeyEnrolled, journeys: enrolled },
    { type: journeyStarted, journeys: begun },
  ]);
  return withWinners(sql, template, evaluated);
}

export function takesRecipients(template: TemplateRow): boolean {
  return template.status === 'launched' && !dueTransition(template, Date.now());
}

/** Adds the journeys of contacts that a concurrent transaction enrolled; they are visible only now. */
async function withWinners(sql: Sql, template: TemplateRow, evaluated: readonly Evaluated[]) {
  const lost = evaluated.filter(
    ({ refusal, journey_id }) => refusal === 'already_enrolled' && journey_id === null,
  );
  if (lost.length === 0) return [...evaluated];
  const ids = lost.map(({ contact_id }) => contact_id);
  const open = await findOpenJourneys(sql, template, ids);
  return evaluated.map((one) => ({
    ...one,
    journey_id: one.journey_id ?? open.get(one.contact_id) ?? null,
  }));
}

/** Why a contact is not let in, for a 409. */
export function refusalProblem(template: TemplateRow, evaluated: Evaluated | undefined): Problem {
  const rule = evaluated?.refusal ?? 'template_not_launched';
  if (rule === 'template_not_launched') {
    const { status } = template;
    return {
      code: 'invalid_state_transition',
      detail: `The template is ${status}. ${refusalWords[rule]}`,
      meta: {
        resource: 'template',
        state: status,
        action: 'enroll',
        allowed_actions: allowedActions(status),
      },
    };
  }
  const { journey_id = null, contact_id } = evaluated ?? {};
  return {
    code: rule === 'already_enrolled' ? rule : 'enrollment_refused',
    detail: refusalWords[rule],
    meta: { resource: 'journey', rule, contact_id, ...(journey_id !== null && { journey_id }) },
  };
}
