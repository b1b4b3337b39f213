import { Type } from 'typebox';
import { Timestamp } from '../fields.ts';
import { Answer, endpoint } from '../http/endpoint.ts';
import { Capabilities, capabilitiesOf } from './capabilities.ts';
import { ErrorCodes, EventTypes, errorCodes, listedEventTypes } from './catalogues.ts';
import { openApiDocument } from './openapi.ts';

export const getCapabilities = endpoint({
  id: 'getCapabilities',
  method: 'GET',
  path: '/v2/meta/capabilities',
  summary: 'What the presented token can reach',
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
  summary: 'The server’s clock, for checking signatures and deadlines',
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
  summary: 'This interface as an OpenAPI 3.1 document',
  tag: 'Meta',
  scope: 'open',
  rateClass: 'meta',
  response: Type.Unknown(),
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
  summary: 'Every error code with its status, title, remedy and page',
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
  summary: 'Every event type with the JSON Schema of its data and an example of its body',
  tag: 'Meta',
  scope: 'meta:capabilities:read',
  rateClass: 'meta',
  response: EventTypes,
  isConstant: true,
  handle: () => Promise.resolve({ data: listedEventTypes }),
});

export const metaEndpoints = [getCapabilities, listErrorCodes, listEventTypes, getTime, getOpenApi];
