import { Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { checkScopes } from '../../platform/http/authorize.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import type { ListRow } from '../../platform/lists/list-endpoint.ts';
import { windowOf } from '../../platform/lists/window.ts';
import { requireReceiver } from '../incoming-webhook-receivers/queries.ts';
import { openRaw } from '../intake/callback.ts';
import {
  InboundCounts,
  InboundCountsQuery,
  InboundDelivery,
  InboundDeliveryDetails,
  IncludedPayload,
  inboundListFields,
} from './inbound-delivery.ts';
import {
  countDropped,
  countInbound,
  findPayloads,
  findRaw,
  inboundDeliverySource,
  requireInboundDelivery,
} from './queries.ts';
import { sumCounts } from './rules.ts';

const tag = 'Inbound webhooks';
const path = '/v2/webhooks/inbound/{receiver_id}/deliveries';
const scope = 'partner:incoming-webhooks:read';

export const listInboundDeliveries = listEndpoint({
  id: 'listInboundDeliveries',
  path,
  summary: 'List the deliveries of a receiver',
  description:
    'Returns the callbacks that a receiver got, the latest first. Embed the payload with ' +
    'include.',
  tag,
  scope,
  audit: { counted: 'inbound_delivery.read' },
  item: InboundDelivery,
  fields: inboundListFields,
  defaultSort: '-received_at',
  includes: {
    payload: {
      scope,
      item: IncludedPayload,
      many: false,
      async load(sql, teamId, rows: readonly ListRow[]) {
        const ids = rows.map(({ id }) => id);
        const found = await findPayloads(sql, teamId, ids);
        return new Map(found.map(({ id, payload }) => [id, payload ? [payload] : []]));
      },
    },
  },
  async source({ sql, teamId, params: { receiver_id = '' }, services }) {
    const { publicBaseUrl } = services.config;
    const receiver = await requireReceiver(sql, teamId, receiver_id, publicBaseUrl);
    return inboundDeliverySource(teamId, receiver.id);
  },
});

export const getInboundDelivery = endpoint({
  id: 'getInboundDelivery',
  method: 'GET',
  path: `${path}/{delivery_id}`,
  summary: 'Get an inbound delivery with its payload; include=raw adds the original request',
  description:
    'Returns one callback with its normalized payload and the outcome. include=raw adds the ' +
    'call as it arrived, and needs the scope partner:incoming-webhooks:write. Payloads are ' +
    'stored for a limited time.',
  errors: ['invalid_include'],
  tag,
  scope,
  rateClass: 'read',
  audit: { counted: 'inbound_delivery.read' },
  query: Type.Object({
    include: Type.Optional(Type.String({ description: 'payload, raw or both, by comma' })),
  }),
  response: InboundDeliveryDetails,
  async handle({ sql, teamId, params, query, principal, services: { config, keyring } }) {
    const included = query.include === undefined ? [] : query.include.split(',');
    const unknown = included.find((name) => name !== 'payload' && name !== 'raw');
    if (unknown !== undefined) {
      throw fail('invalid_include', {
        detail: 'include takes payload and raw.',
        meta: { parameter: 'include', allowed: ['payload', 'raw'] },
      });
    }
    if (included.includes('raw')) checkScopes(principal, 'partner:incoming-webhooks:write');
    const receiver = await requireReceiver(sql, teamId, params.receiver_id, config.publicBaseUrl);
    const row = await requireInboundDelivery(sql, teamId, receiver.id, params.delivery_id);
    const raw = included.includes('raw') && row.raw_available ? await findRaw(sql, row) : undefined;
    return { ...row, raw: raw && openRaw(keyring, raw.sealed_callback, teamId, raw.id) };
  },
});

export const getInboundDeliveryCounts = endpoint({
  id: 'getInboundDeliveryCounts',
  method: 'GET',
  path: `${path}/counts`,
  summary: 'Count the deliveries of a receiver, by default of the last 24 hours',
  description:
    'Returns the number of callbacks of a receiver by outcome. The window is the last 24 ' +
    'hours unless the parameters name another one. Rejected calls that were too many to be ' +
    'stored are counted in dropped_rejections.',
  errors: ['invalid_filter_value'],
  tag,
  scope,
  rateClass: 'read',
  query: InboundCountsQuery,
  response: InboundCounts,
  async handle({ sql, teamId, params, query, services }) {
    const window = windowOf(query, 'received_at', Date.now());
    const { publicBaseUrl } = services.config;
    const receiver = await requireReceiver(sql, teamId, params.receiver_id, publicBaseUrl);
    const rows = await countInbound(sql, teamId, receiver.id, window);
    return {
      receiver_id: receiver.id,
      window,
      ...sumCounts(rows),
      dropped_rejections: await countDropped(sql, teamId, receiver.id, window),
      computed_at: new Date().toISOString(),
    };
  },
});

export const inboundDeliveryEndpoints = [
  listInboundDeliveries,
  getInboundDelivery,
  getInboundDeliveryCounts,
];
