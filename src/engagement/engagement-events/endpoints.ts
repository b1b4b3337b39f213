import { endpoint } from '../../platform/http/endpoint.ts';
import { fail, failAll, withPointerPrefix } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import type { Include } from '../../platform/lists/list-endpoint.ts';
import { loadBy } from '../../platform/lists/related.ts';
import { contactInclude } from '../../contacts/include.ts';
import { requireContact } from '../../contacts/queries.ts';
import { Message } from '../../campaigns/messages/message.ts';
import { findMessages } from '../../campaigns/messages/queries.ts';
import { Page } from '../../campaigns/pages/page.ts';
import { findPages } from '../../campaigns/pages/queries.ts';
import { requireTemplate } from '../../campaigns/templates/queries.ts';
import {
  EngagementEvent,
  EngagementReceipt,
  EngagementReport,
  engagementListFields,
  maxEngagementPageSize,
  maxReported,
} from './engagement-event.ts';
import { engagementSource, requireEngagementEvent } from './queries.ts';
import { recordEngagement } from './record.ts';
import { resolveReferences } from './references.ts';
import { reportProblems } from './rules.ts';

const tag = 'Engagement events';
const path = '/v2/partner/engagement-events';

const list = {
  tag,
  scope: 'partner:engagement:read',
  item: EngagementEvent,
  fields: engagementListFields,
  defaultSort: '-occurred_at',
  maxPageSize: maxEngagementPageSize,
  audit: { counted: 'engagement_event.read' },
  includes: {
    contact: contactInclude,
    message: {
      scope: 'partner:messages:read',
      item: Message,
      many: false,
      load: loadBy('message_id', findMessages),
    },
    page: {
      scope: 'partner:pages:read',
      item: Page,
      many: false,
      load: loadBy('page_id', findPages),
    },
  } satisfies Record<string, Include>,
} as const;

export const listEngagementEvents = listEndpoint({
  ...list,
  id: 'listEngagementEvents',
  path,
  summary: 'List engagement events',
  description: 'Returns the engagement events of the team, the latest first.',
  source: ({ teamId }) => engagementSource(teamId),
});

export const listContactEvents = listEndpoint({
  ...list,
  id: 'listContactEvents',
  path: '/v2/partner/contacts/{id}/engagement-events',
  keyParams: ['id'],
  summary: 'List the engagement events of a contact',
  description: 'Returns the engagement events of one contact, the latest first.',
  errors: ['resource_erased', 'contact_merged'],
  async source({ sql, teamId, params: { id = '' } }) {
    const contact = await requireContact(sql, teamId, id);
    return engagementSource(teamId, { column: 'contact_id', id: contact.id });
  },
});

export const listTemplateEngagementEvents = listEndpoint({
  ...list,
  id: 'listTemplateEngagementEvents',
  path: '/v2/partner/templates/{id}/engagement-events',
  summary: 'List the engagement events of a template',
  description: 'Returns the engagement events of one template, the latest first.',
  async source({ sql, teamId, params: { id = '' } }) {
    const template = await requireTemplate(sql, teamId, id);
    return engagementSource(teamId, { column: 'template_id', id: template.id });
  },
});

export const getEngagementEvent = endpoint({
  id: 'getEngagementEvent',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an engagement event',
  description:
    'Returns one engagement event. Addresses of clients are stored as their network only. ' +
    'Events never change.',
  tag,
  scope: 'partner:engagement:read',
  rateClass: 'read',
  audit: { counted: 'engagement_event.read' },
  response: EngagementEvent,
  handle: ({ sql, teamId, params }) => requireEngagementEvent(sql, teamId, params.id),
});

export const recordEngagementEvents = endpoint({
  id: 'recordEngagementEvents',
  method: 'POST',
  path,
  summary: 'Record up to 500 engagement events, all or none; repeats of a unique_id are dropped',
  description:
    'Records up to 500 engagement events. Either all of them are recorded or none: problems ' +
    'of all events are listed with their places. An event whose unique_id was recorded before ' +
    'counts as a duplicate and is not recorded again. Repeat a request that failed with the ' +
    'same unique_ids.',
  errors: ['too_many_items'],
  tag,
  scope: 'partner:engagement:write',
  rateClass: 'bulk',
  audit: { none: 'contact_data' },
  body: EngagementReport,
  status: 201,
  response: EngagementReceipt,
  async handle({ sql, teamId, body: { events } }) {
    if (events.length > maxReported) {
      throw fail('too_many_items', {
        detail: `A request takes at most ${String(maxReported)} events.`,
        meta: { pointer: '/events', max: maxReported },
      });
    }
    const nowMs = Date.now();
    const now = new Date(nowMs).toISOString();
    const resolved = await resolveReferences(sql, teamId, events, { now, source: 'api' });
    const problems = events.flatMap((event, index) =>
      [...reportProblems(event, nowMs), ...(resolved[index]?.problems ?? [])].map((problem) =>
        withPointerPrefix(problem, `/events/${String(index)}`),
      ),
    );
    if (problems.length > 0) throw failAll(problems);
    const data = await recordEngagement(
      sql,
      teamId,
      resolved.map(({ event }) => event),
    );
    const accepted = data.filter(({ status }) => status === 'created').length;
    return {
      accepted,
      duplicates: data.length - accepted,
      data: data.map((recorded, index) => ({ index, ...recorded })),
    };
  },
});

export const engagementEventEndpoints = [
  listEngagementEvents,
  listContactEvents,
  listTemplateEngagementEvents,
  getEngagementEvent,
  recordEngagementEvents,
];
