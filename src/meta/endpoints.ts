import { Type } from 'typebox';
import { Timestamp } from '../platform/schema/fields.ts';
import { Answer, endpoint } from '../platform/http/endpoint.ts';
import { Capabilities, capabilitiesOf } from './capabilities.ts';
import { ErrorCodes, EventTypes, describeEventTypes, errorCodes } from './catalogs.ts';
import { openApiDocument } from './openapi.ts';

export const getCapabilities = endpoint({
  id: 'getCapabilities',
  method: 'GET',
  path: '/v2/meta/capabilities',
  summary: 'Get the scopes, limits and endpoints of the presented token',
  description:
    'Returns what the presented token may do: its surfaces, its operations and its rate ' +
    'limits. Call it after you received a token, to check the entitlement of the client ' +
    'before the first write. It has no side effects.',
  tag: 'Meta',
  scope: 'meta:capabilities:read',
  rateClass: 'meta',
  response: Capabilities,
  handle: ({ principal, services }) =>
    Promise.resolve(capabilitiesOf(principal, services.endpoints, services.config.publicBaseUrl)),
});

export const getTime = endpoint({
  id: 'getTime',
  method: 'GET',
  path: '/v2/meta/time',
  summary: 'Get the time of the server, to check signatures and deadlines',
  description:
    'Returns the clock of the server in UTC. Compare it with your own clock when signatures ' +
    'or deadlines are rejected. It needs no credentials.',
  tag: 'Meta',
  scope: 'open',
  rateClass: 'meta',
  response: Type.Object({ now: Timestamp() }, { title: 'server_time' }),
  handle: () => Promise.resolve({ now: new Date().toISOString() }),
});

export const getOpenApi = endpoint({
  id: 'getOpenApi',
  method: 'GET',
  path: '/v2/meta/openapi.json',
  summary: 'Get this interface as an OpenAPI 3.1 document',
  description:
    'Returns this document. It is computed from the same declarations that route and check ' +
    'the requests, so it describes the running version. It needs no credentials and may be ' +
    'cached for one minute.',
  tag: 'Meta',
  scope: 'open',
  rateClass: 'meta',
  response: Type.Unknown({
    examples: [{ openapi: '3.1.0', info: { title: 'Onward', version: '2.0.0' }, paths: {} }],
  }),
  isConstant: true,
  handle: ({ services }) =>
    Promise.resolve(
      new Answer(openApiDocument(services.endpoints, services.config.publicBaseUrl), {
        headers: { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=60' },
      }),
    ),
});

export const listErrorCodes = endpoint({
  id: 'listErrorCodes',
  method: 'GET',
  path: '/v2/meta/error-codes',
  summary: 'List the error codes with status, title, remedy and documentation page',
  description:
    'Returns every error code with its HTTP status, its constant title and the remedy. The ' +
    'list is complete and is not paged. Read it to map codes to messages of your own.',
  tag: 'Meta',
  scope: 'meta:capabilities:read',
  rateClass: 'meta',
  response: ErrorCodes,
  isConstant: true,
  handle: ({ services }) => Promise.resolve({ data: errorCodes(services.config.publicBaseUrl) }),
});

export const listEventTypes = endpoint({
  id: 'listEventTypes',
  method: 'GET',
  path: '/v2/meta/event-types',
  summary: 'List the event types with the JSON Schema of their data and an example body',
  description:
    'Returns every type of event with the JSON Schema of its data and a complete example. The ' +
    'list is complete and is not paged. Choose from it the event_types of a webhook ' +
    'subscription.',
  tag: 'Meta',
  scope: 'meta:capabilities:read',
  rateClass: 'meta',
  response: EventTypes,
  isConstant: true,
  handle: () => Promise.resolve({ data: describeEventTypes() }),
});

export const metaEndpoints = [getCapabilities, listErrorCodes, listEventTypes, getTime, getOpenApi];
