import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { groupBy } from '../../platform/group-by.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { lockForEnrollment, refusalProblem } from '../../journeys/enrollment/enroll.ts';
import {
  EnrollmentData,
  enrollWithData,
  enrollmentDataProblems,
} from '../../journeys/enrollment/enroll-with-data.ts';
import type { Evaluated } from '../../journeys/enrollment/queries.ts';
import { JourneyDetails } from '../../journeys/journey.ts';
import type { JourneyRow } from '../../journeys/journey.ts';
import { linkUrl } from '../../messaging/journey-link.ts';
import { findJourneys } from '../../journeys/queries.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { contactReference, findReferred } from '../../contacts/lookup/contact-reference.ts';
import { operation, outcomeOf } from '../operation-type.ts';
import type { OperationCall, Outcome } from '../operation-type.ts';

const Item = Type.Object(
  { template_id: Id(), ...contactReference, data: EnrollmentData },
  { additionalProperties: false },
);

export const templatesEnroll = operation({
  kind: 'templates.enroll',
  category: 'journeys',
  summary: 'Enroll a contact in a launched template',
  notes:
    'A contact that has an open journey in the template keeps it: the item is unchanged. A rule ' +
    'that refuses fails the item; journeys.explain shows every rule. The data of an item is ' +
    'stored only where it enrolls the contact.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:journeys:execute', 'partner:templates:read', 'partner:contacts:read'],
  rateLimitClass: 'execute',
  audit: { none: 'contact_data' },
  input: Item,
  output: JourneyDetails,
  async apply(call, items) {
    const { sql, teamId, source } = call;
    const referred = await findReferred(sql, teamId, items, { isLocked: false });
    const named = items.flatMap(({ template_id, data }, at) => {
      const found = referred[at];
      if (!found || 'problems' in found) return [];
      return [{ at, templateId: template_id.toLowerCase(), contactId: found.contact.id, data }];
    });
    const requested = groupBy(named, ({ templateId }) => templateId);
    const wrong = new Map<number, readonly Problem[]>();
    const entered = new Map<string, Entered>();
    // In one order, so that two sets never wait for each other in a ring.
    for (const id of [...requested.keys()].sort()) {
      const template = await enterOr(call, id);
      if (!template) continue;
      // No folder of the SFTP server belongs to this operation.
      const via = source === 'sftp' ? 'batch' : source;
      const group = requested.get(id) ?? [];
      const values = group.map(({ data }) => data);
      const problems = await enrollmentDataProblems(sql, template, values);
      const sound = group.filter((_, at) => problems[at]?.length === 0);
      for (const [at, one] of group.entries()) wrong.set(one.at, problems[at] ?? []);
      const evaluated = await enrollWithData(call, template, sound, via);
      entered.set(id, {
        template,
        evaluated: new Map(evaluated.map((one) => [one.contact_id, one])),
      });
    }
    const ids = [...entered.values()].flatMap(({ evaluated }) =>
      [...evaluated.values()].flatMap(({ journey_id }) => journey_id ?? []),
    );
    const journeys = new Map((await findJourneys(sql, teamId, ids)).map((row) => [row.id, row]));
    const seen = new Set<string>();
    return items.map(({ template_id }, at): Outcome<JourneyRow> => {
      const found = referred[at];
      if (!found || 'problems' in found) return { status: 'failed', errors: found?.problems ?? [] };
      const errors = wrong.get(at) ?? [];
      if (errors.length > 0) return { status: 'failed', errors };
      const place = entered.get(template_id.toLowerCase());
      const evaluated = place?.evaluated.get(found.contact.id);
      if (!place || !evaluated) return { status: 'failed', errors: [noTemplate] };
      const journey = journeys.get(evaluated.journey_id ?? '');
      const isIn = evaluated.refusal === null || evaluated.refusal === 'already_enrolled';
      if (!journey || !isIn) {
        return { status: 'failed', errors: [refusalProblem(place.template, evaluated)] };
      }
      const isNew = evaluated.refusal === null && !seen.has(journey.id);
      seen.add(journey.id);
      return outcomeOf(isNew ? 'created' : 'unchanged', withLink(call, journey, isNew));
    });
  },
});

interface Entered {
  template: TemplateRow;
  evaluated: ReadonlyMap<string, Evaluated>;
}

const noTemplate = {
  code: 'validation_failed',
  detail: 'The team has no such template.',
  meta: { pointer: '/template_id', rule: 'reference_not_found' },
} as const;

async function enterOr({ sql, teamId }: OperationCall, id: string) {
  try {
    return await lockForEnrollment(sql, teamId, id);
  } catch (error) {
    if (error instanceof HttpError && error.problems[0].code === 'not_found') return undefined;
    throw error;
  }
}

/** The link is returned to the caller that creates the journey; stored results have none. */
function withLink(
  { source, keyring, publicBaseUrl }: OperationCall,
  journey: JourneyRow,
  isNew: boolean,
): JourneyRow & { link_url?: string } {
  if (source !== 'ipaas' || !isNew) return journey;
  return { ...journey, link_url: linkUrl(publicBaseUrl, keyring, journey) };
}
