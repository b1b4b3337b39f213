import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { Recipient } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import type { Services } from '../../platform/http/services.ts';
import { ContactDetails } from '../../contacts/contact.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { addContact } from '../../contacts/add.ts';
import { findContacts } from '../../contacts/queries.ts';
import { enroll, lockForEnrollment, refusalProblem } from '../../journeys/enrollment/enroll.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { requireTeam } from '../../team/queries.ts';
import { maxWrittenPhone } from '../../campaigns/rendering/form-fields.ts';
import { readPhone } from '../forms/phone.ts';
import { widgetInstances } from '../widget-instances/queries.ts';
import type { WidgetInstanceRow } from '../widget-instances/widget-instance.ts';
import { eventOf } from '../engagement.ts';
import { RecipientJourney } from '../journeys/journey.ts';
import { recipientOf, widgetBodyLimitBytes } from '../recipient.ts';
import { answerWithSession } from '../sessions/open.ts';
import { recordBootstrap } from '../sessions/queries.ts';
import { holdToken } from './queries.ts';

const { first_name, last_name, email, postal_code, locale } = ContactDetails.properties;
const phone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: maxWrittenPhone,
    description:
      'As people write it; without a country code, by the rules of the country in the locale of the team',
    examples: ['+44 20 7946 0958'],
  }),
);

const Enrollment = Type.Object(
  { first_name, last_name, email, phone, postal_code, locale },
  {
    additionalProperties: false,
    description:
      'Fields of a new contact, who needs email or phone; ignored where the token names one',
  },
);

export const enrollRecipient = endpoint({
  id: 'enrollRecipient',
  method: 'POST',
  path: '/v2/widget/enrollments',
  summary: 'Enroll the visitor of an enrollment widget, once per token, and start a session',
  description:
    'Enrolls the visitor of an enrollment widget and starts a session. A token enrolls once: ' +
    'a repeat answers 200 with the same journey. A contact is created where the token names ' +
    'none, and needs email or phone. Contacts are never found by an address.',
  errors: ['conflict', 'enrollment_refused', 'already_enrolled', 'invalid_state_transition'],
  tag: 'Recipients',
  scope: 'widget:events:write',
  rateClass: 'widget',
  audit: { none: 'recipient' },
  body: Enrollment,
  bodyOptional: true,
  bodyLimitBytes: widgetBodyLimitBytes,
  status: 201,
  repeatStatus: 200,
  response: RecipientJourney,
  answerHeaders: ['Set-Cookie'],
  isLogged: false,
  async handle({ sql, teamId, principal, body, services }) {
    const recipient = recipientOf(principal);
    const { widget, tokenId } = await doorOf(sql, teamId, recipient);
    await holdToken(sql, tokenId);
    const template = await lockForEnrollment(sql, teamId, widget.template_id);
    const contactId = await contactOf(sql, services, { teamId, recipient, tokenId }, { ...body });
    const { journeyId, isNew } = await journeyOf(sql, template, contactId);
    // Counted by the insights of the widget; a repeat by the same token is the first one.
    await recordEngagement(sql, teamId, [
      {
        ...eventOf(principal, { id: journeyId, template_id: template.id, contact_id: contactId }),
        kind: 'widget.submitted',
        occurred_at: new Date().toISOString(),
        properties: { outcome: isNew ? 'enrolled' : 'duplicate' },
        unique_id: `enrollment:${tokenId}`,
      },
    ]);
    const answer = await answerWithSession(
      sql,
      services,
      {
        team_id: teamId,
        journey_id: journeyId,
        contact_id: contactId,
        assurance: recipient.assurance,
        locale: recipient.locale,
        token_id: tokenId,
        widget_instance_id: widget.id,
        client_id: principal.clientId,
        scopes: [...principal.scopes],
        link_generation: null,
      },
      widget.session_max_days,
    );
    await recordBootstrap(sql, teamId, widget.id);
    return new Answer(answer.body, { isRepeat: !isNew, headers: { ...answer.headers } });
  },
});

export const recipientEnrollmentEndpoints = [enrollRecipient];

/** The widget through which visitors come in, and the token that lets one in. Throws 409. */
async function doorOf(sql: Sql, teamId: string, { widgetInstanceId, tokenId }: Recipient) {
  const widget =
    widgetInstanceId === null
      ? undefined
      : await widgetInstances.find(sql, teamId, widgetInstanceId);
  if (widget && hasDoor(widget) && tokenId !== null) return { widget, tokenId };
  throw fail('conflict', {
    detail: 'The widget cannot enroll: its kind is not enrollment, or it has no template.',
    meta: { resource: 'widget_instance' },
  });
}

function hasDoor(widget: WidgetInstanceRow): widget is WidgetInstanceRow & { template_id: string } {
  return widget.widget_kind === 'enrollment' && widget.template_id !== null;
}

interface Visitor {
  teamId: string;
  recipient: Recipient;
  tokenId: string;
}

/**
 * The contact whom the token names, or a new one under the id of the token, so that a repeat finds
 * it. No contact is found by an address: the person who types it need not own it.
 */
async function contactOf(
  sql: Sql,
  { keyring }: Services,
  { teamId, recipient, tokenId }: Visitor,
  body: Partial<Static<typeof Enrollment>>,
): Promise<string> {
  if (recipient.contactId !== null) return recipient.contactId;
  const [known] = await findContacts(sql, teamId, [tokenId]);
  if (known) return known.id;
  const details = await withPhone(sql, teamId, body);
  return (await addContact(sql, keyring, { teamId, id: tokenId, body: details })).id;
}

/** Throws 422 for a number that cannot be one. */
async function withPhone(sql: Sql, teamId: string, body: Partial<Static<typeof Enrollment>>) {
  if (body.phone === undefined) return body;
  const { locale: teamLocale } = await requireTeam(sql, teamId);
  const number = readPhone(body.phone, teamLocale);
  if (number !== undefined) return { ...body, phone: number };
  throw fail('validation_failed', {
    detail: 'phone must be a phone number with its country code, such as +1 415 555 0100.',
    meta: { pointer: '/phone', rule: 'invalid_phone' },
  });
}

/** The journey that begins, or the open one. Throws 409 where a rule of the template refuses. */
async function journeyOf(sql: Sql, template: TemplateRow, contactId: string) {
  const [evaluated] = await enroll(sql, template, { contactIds: [contactId], via: 'widget' });
  const { journey_id: journeyId = null, refusal = null } = evaluated ?? {};
  const isThere = refusal === null || refusal === 'already_enrolled';
  if (isThere && journeyId !== null) return { journeyId, isNew: refusal === null };
  throw failAll([refusalProblem(template, evaluated)]);
}
