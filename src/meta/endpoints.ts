import { Type } from 'typebox';
import { Timestamp } from '../fields.ts';
import { Answer, endpoint } from '../http/endpoint.ts';
import type { Services } from '../http/services.ts';
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
  handle: ({ services }) =>
    Promise.resolve(
      new Answer(documentOf(services), {
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
  handle: () => Promise.resolve({ data: listedEventTypes }),
});

// Anybody may ask for it, and it takes some 10 ms to compute.
const documents = new WeakMap<Services, object>();

function documentOf(services: Services): object {
  const known = documents.get(services);
  if (known) return known;
  const document = openApiDocument(services.endpoints, services.config.publicBaseUrl);
  documents.set(services, document);
  return document;
}

export const metaEndpoints = [getCapabilities, listErrorCodes, listEventTypes, getTime, getOpenApi];
