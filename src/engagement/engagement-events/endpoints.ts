import { endpoint } from '../../platform/http/endpoint.ts';
import { groupedEndpoint } from '../../platform/http/grouped-endpoint.ts';
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
} from './engagement-event.ts';
import { engagementSource, requireEngagementEvent } from './queries.ts';
import { smallReportSize, reportEngagement } from './report.ts';

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
  description:
    'Returns the engagement events of the team, the latest first. is_machine marks those of ' +
    'scanners and proxies. Rows never change: continue from the last occurred_at.',
  source: ({ teamId }) => engagementSource(teamId),
});

export const listContactEvents = listEndpoint({
  ...list,
  id: 'listContactEvents',
  path: '/v2/partner/contacts/{id}/engagement-events',
  keyParams: ['id'],
  summary: 'List the engagement events of a contact',
  description:
    'Returns the engagement events of one contact, the latest first. is_machine marks those ' +
    'of scanners and proxies, which insights leave out.',
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
  description:
    'Returns the engagement events of one template, the latest first. is_machine marks those ' +
    'of scanners and proxies, which insights leave out.',
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

export const recordEngagementEvents = groupedEndpoint({
  id: 'recordEngagementEvents',
  method: 'POST',
  path,
  summary: 'Record up to 500 engagement events, all or none; repeats of a unique_id are ignored',
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
  together: {
    admits: ({ body: { events } }) => events.length <= smallReportSize,
    handle: ({ sql, teamId }, calls) =>
      reportEngagement(
        sql,
        teamId,
        calls.map(({ body: { events } }) => events),
        calls.map(({ request }) => request.trace.span),
      ),
  },
});

export const engagementEventEndpoints = [
  listEngagementEvents,
  listContactEvents,
  listTemplateEngagementEvents,
  getEngagementEvent,
  recordEngagementEvents,
];
