import type { Sql } from '../platform/database/sql.ts';
import { endpoint } from '../platform/http/endpoint.ts';
import type { Call } from '../platform/http/endpoint.ts';
import { fail } from '../platform/http/errors.ts';
import { groupRows } from '../platform/lists/group-rows.ts';
import { includeLimit, listEndpoint } from '../platform/lists/list-endpoint.ts';
import type { ListRow } from '../platform/lists/list-endpoint.ts';
import { loadBy } from '../platform/lists/related.ts';
import { contactInclude } from '../contacts/include.ts';
import { requireContact } from '../contacts/queries.ts';
import {
  EngagementEvent,
  engagementListFields,
  maxEngagementPageSize,
} from '../engagement/engagement-events/engagement-event.ts';
import { MessageDelivery } from '../messaging/message-deliveries/message-delivery.ts';
import { findDeliveriesOf } from '../messaging/message-deliveries/queries.ts';
import { findTemplates, requireTemplate } from '../campaigns/templates/queries.ts';
import { Template } from '../campaigns/templates/template.ts';
import { cancel, checkAction } from './actions.ts';
import { explainForContact } from './enrollment/explain.ts';
import {
  EnrollmentExplanation,
  Journey,
  JourneyDetails,
  JourneyLink,
  journeyListFields,
} from './journey.ts';
import type { JourneyRow } from './journey.ts';
import { linkUrl } from '../messaging/journey-link.ts';
import {
  journeySource,
  lockJourney,
  pauseRow,
  renewLink,
  requireJourney,
  resumeRow,
  timelineSource,
} from './queries.ts';
import { isOpen } from './rules.ts';
import type { JourneyAction } from './rules.ts';

const tag = 'Journeys';
const path = '/v2/partner/journeys';
const readScope = 'partner:journeys:read';
const writeScope = 'partner:journeys:write';

const list = {
  tag,
  scope: readScope,
  item: Journey,
  fields: journeyListFields,
  defaultSort: '-enrolled_at',
  includes: {
    contact: contactInclude,
    template: {
      scope: 'partner:templates:read',
      item: Template,
      many: false,
      load: loadBy('template_id', findTemplates),
    },
    message_deliveries: {
      scope: 'partner:messages:read',
      item: MessageDelivery,
      many: true,
      async load(sql: Sql, teamId: string, rows: readonly ListRow[]) {
        const journeyIds = rows.map(({ id }) => id);
        const found = await findDeliveriesOf(sql, teamId, journeyIds, includeLimit + 1);
        return groupRows(found, ({ journey_id }) => journey_id ?? '');
      },
    },
  },
} as const satisfies Partial<Parameters<typeof listEndpoint>[0]>;

export const listJourneys = listEndpoint({
  ...list,
  id: 'listJourneys',
  path,
  summary: 'List journeys, one per contact and template',
  description:
    'Returns the journeys of the team: one for each enrollment of a contact in a template. ' +
    'Filter by status, contact_id, cohort_id or exit_reason, and sort by the deadline or by ' +
    'the last engagement.',
  source: ({ teamId }) => journeySource(teamId),
});

export const listTemplateJourneys = listEndpoint({
  ...list,
  id: 'listTemplateJourneys',
  path: '/v2/partner/templates/{id}/journeys',
  summary: 'List the journeys of a template',
  description:
    'Returns the journeys of one template. Ended ones stay, with exit_reason. A holdout is ' +
    'among them, and nothing is sent to it.',
  async source({ sql, teamId, params: { id = '' } }) {
    const template = await requireTemplate(sql, teamId, id);
    return journeySource(teamId, { column: 'template_id', id: template.id });
  },
});

export const listContactJourneys = listEndpoint({
  ...list,
  id: 'listContactJourneys',
  path: '/v2/partner/contacts/{id}/journeys',
  keyParams: ['id'],
  summary: 'List the journeys of a contact',
  description:
    'Returns the journeys of one contact. Ended ones stay, with exit_reason; seq says which ' +
    'enrollment of the contact it is.',
  errors: ['resource_erased', 'contact_merged'],
  async source({ sql, teamId, params: { id = '' } }) {
    const contact = await requireContact(sql, teamId, id);
    return journeySource(teamId, { column: 'contact_id', id: contact.id });
  },
});

export const getJourney = endpoint({
  id: 'getJourney',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a journey; its link_url with the scope partner:journeys:write',
  description:
    'Returns one journey with its status and progress. Its link_url is shown only to tokens with ' +
    'the scope partner:journeys:write, because it opens the journey.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: JourneyDetails,
  async handle({ sql, teamId, params, principal, services }) {
    const journey = await requireJourney(sql, teamId, params.id);
    return { ...journey, ...(principal.scopes.has(writeScope) && linkOf(services, journey)) };
  },
});

export const getJourneyTimeline = listEndpoint({
  id: 'getJourneyTimeline',
  path: `${path}/{id}/timeline`,
  summary: 'List the timeline of a journey, newest first',
  description:
    'Returns everything that happened in a journey, the latest first. These are sends, opens, ' +
    'clicks, visits and completions. is_machine marks those of scanners and proxies.',
  tag,
  scope: readScope,
  item: EngagementEvent,
  fields: {
    occurred_at: engagementListFields.occurred_at,
    kind: engagementListFields.kind,
    channel: engagementListFields.channel,
    is_machine: engagementListFields.is_machine,
  },
  defaultSort: '-occurred_at',
  maxPageSize: maxEngagementPageSize,
  async source({ sql, teamId, params: { id = '' } }) {
    return timelineSource(await requireJourney(sql, teamId, id));
  },
});

export const explainJourney = endpoint({
  id: 'explainJourney',
  method: 'GET',
  path: `${path}/{id}/explain`,
  summary: 'Explain the state of a journey, and what was sent or will be sent',
  description:
    'Returns how the contact of a journey stands in its template, what was sent and what will ' +
    'be sent. The answer is computed for the request. Nothing is changed. It names each rule ' +
    'with its outcome, and the next action with its time.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: EnrollmentExplanation,
  async handle({ sql, teamId, principal, params }) {
    const journey = await requireJourney(sql, teamId, params.id);
    const template = await requireTemplate(sql, teamId, journey.template_id);
    return explainForContact(sql, principal, template, journey.contact_id, journey);
  },
});

type Lookup = Pick<
  Call<{ id: string }, unknown, unknown>,
  'sql' | 'teamId' | 'params' | 'checkPrecondition'
>;

async function lock(call: Lookup): Promise<JourneyRow> {
  const journey = await lockJourney(call.sql, call.teamId, call.params.id);
  call.checkPrecondition(journey);
  return journey;
}

/** The verb of each action in the audit trail. */
const verbs = { pause: 'paused', resume: 'resumed', cancel: 'canceled' } as const;

/** Declares an action without a body; rules.ts defines its transitions. */
function action(
  id: string,
  name: JourneyAction,
  summary: string,
  description: string,
  act: (sql: Lookup['sql'], journey: JourneyRow) => Promise<JourneyRow>,
) {
  return endpoint({
    id,
    method: 'POST',
    path: `${path}/{id}/${name}`,
    summary,
    description,
    errors: ['invalid_state_transition', 'precondition_failed'],
    tag,
    scope: writeScope,
    rateClass: 'execute',
    audit: `journey.${verbs[name]}`,
    response: Journey,
    async handle(call) {
      const journey = await lock(call);
      checkAction(journey, name);
      return act(call.sql, journey);
    },
  });
}

export const pauseJourney = action(
  'pauseJourney',
  'pause',
  'Pause a journey; nothing is sent, but its schedule keeps running',
  'Pauses one journey: nothing is sent while its times continue to pass. Only a journey ' +
    'that is open can be paused. Resume it to continue.',
  pauseRow,
);
export const resumeJourney = action(
  'resumeJourney',
  'resume',
  'Resume a journey',
  'Continues a paused journey. Messages that were due during the pause are evaluated ' +
    'again by the rules of their template. A journey that is not paused is refused with 409.',
  resumeRow,
);
export const cancelJourney = action(
  'cancelJourney',
  'cancel',
  'Cancel a journey permanently',
  'Cancels a journey permanently and records the event journey.canceled. Nothing more is sent, ' +
    'and its link stops working. A journey that has ended is refused with 409. Enroll the ' +
    'contact again to start over, where the template allows it.',
  cancel,
);

export const renewJourneyLink = endpoint({
  id: 'renewJourneyLink',
  method: 'POST',
  path: `${path}/{id}/link`,
  summary: 'Create a new link for the recipient and revoke the earlier links',
  description:
    'Creates a new link for the recipient and ends every earlier one, with the sessions that ' +
    'it opened. Only a journey that is still open has a link. Use it where a link was ' +
    'forwarded or may have leaked.',
  errors: ['journey_not_open', 'precondition_failed'],
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'journey.link_renewed',
  response: JourneyLink,
  showsSecret: true,
  async handle(call) {
    const journey = await lock(call);
    if (!isOpen(journey.status)) {
      throw fail('journey_not_open', {
        detail: `The journey is ${journey.status}.`,
        meta: { resource: 'journey', state: journey.status },
      });
    }
    const renewed = await renewLink(call.sql, journey);
    return { journey_id: renewed.id, ...linkOf(call.services, renewed) };
  },
});

function linkOf({ config, keyring }: Call<unknown, unknown, unknown>['services'], row: JourneyRow) {
  return { link_url: linkUrl(config.publicBaseUrl, keyring, row) };
}

export const journeyEndpoints = [
  listJourneys,
  listTemplateJourneys,
  listContactJourneys,
  getJourney,
  getJourneyTimeline,
  explainJourney,
  pauseJourney,
  resumeJourney,
  cancelJourney,
  renewJourneyLink,
];
