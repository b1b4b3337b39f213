import { groupedEndpoint } from '../../platform/http/grouped-endpoint.ts';
import { EngagementReceipt } from '../engagement-events/engagement-event.ts';
import { EventBatch } from './event.ts';
import { publishEvents, smallBatchSize } from './publish.ts';

export const publishEventBatch = groupedEndpoint({
  id: 'publishEvents',
  method: 'POST',
  path: '/v2/partner/events',
  summary:
    'Publish up to 500 events of custom types, all or none; repeats of a unique_id are ignored',
  description:
    'Records up to 500 events of custom types as engagement events, and sends each to the webhook ' +
    'subscriptions that match its type. Either all of them are published or none: problems of all ' +
    'events are listed with their places. An event whose unique_id the team has published within ' +
    '25 months counts as a duplicate and is not published again, even with another type. Repeat a ' +
    'request that failed with the same unique_ids.',
  errors: ['too_many_items', 'invalid_event_type'],
  tag: 'Custom events',
  scope: 'partner:events:write',
  rateClass: 'bulk',
  audit: { none: 'contact_data' },
  body: EventBatch,
  status: 201,
  response: EngagementReceipt,
  together: {
    admits: ({ body: { events } }) => events.length <= smallBatchSize,
    handle: ({ sql, teamId }, calls) =>
      publishEvents(
        sql,
        teamId,
        calls.map(({ body: { events } }) => events),
        calls.map(({ request }) => request.trace.span),
      ),
  },
});

export const eventEndpoints = [publishEventBatch];
