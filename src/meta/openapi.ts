import type { Deprecation } from '../platform/http/deprecation.ts';
import { listEventTypes } from '../platform/events/registered-types.ts';
import { exampleOf } from '../platform/events/example.ts';
import { bearerScopeOf, isForRecipients, isScoped } from '../platform/http/endpoint.ts';
import type { EndpointFacts } from '../platform/http/endpoint-facts.ts';
import {
  bodyName,
  errorCodeSchema,
  errorItemSchema,
  errorSchema,
  hoistTitled,
  isJson,
  mediaOf,
  nameSchema,
  oauthErrorSchema,
} from './openapi/components.ts';
import type { Components, Json } from './openapi/components.ts';
import { headersUsedBy } from './openapi/headers.ts';
import { parametersOf } from './openapi/parameters.ts';
import { responsesOf } from './openapi/responses.ts';
import { shareResponses } from './openapi/shared.ts';
import { tags } from './openapi/tags.ts';

/** The OpenAPI 3.1 document of the whole interface, computed from the declared endpoints. */
export function openApiDocument(endpoints: readonly EndpointFacts[], publicBaseUrl: string): Json {
  const components: Components = {
    schemas: {
      error: errorSchema(),
      oauth_error: oauthErrorSchema(),
      error_item: errorItemSchema(),
      error_code_name: errorCodeSchema(),
    },
    examples: {},
  };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operationOf(endpoint, components);
  }
  const responses = shareResponses(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Onward',
      version: '2.0.0',
      description: introduction,
      contact: { name: 'Onward', url: `${publicBaseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicBaseUrl }],
    tags,
    security: [],
    paths,
    webhooks: webhooksOf(components),
    components: {
      ...components,
      responses,
      headers: headersUsedBy(endpoints),
      securitySchemes: schemes(endpoints, publicBaseUrl),
    },
  };
}

const introduction =
  'Team-scoped customer onboarding and engagement. Every error is listed at /docs/errors and by ' +
  'GET /v2/meta/error-codes, every event type by GET /v2/meta/event-types. An address that no ' +
  'operation has is answered with 404 `route_not_found`. A method that a path does not have is ' +
  'answered with 405 `method_not_allowed` and the header Allow.';

function schemes(endpoints: readonly EndpointFacts[], publicBaseUrl: string): Json {
  const partners = endpoints.filter((endpoint) => !isForRecipients(endpoint));
  const scopes = [...new Set(partners.map(({ scope }) => scope).filter(isScoped))].sort();
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Access token of POST /oauth2/token. It is valid for one hour.',
      flows: {
        clientCredentials: {
          tokenUrl: `${publicBaseUrl}/oauth2/token`,
          scopes: Object.fromEntries(scopes.map((scope) => [scope, meaningOf(scope)])),
        },
      },
    },
    widget_token: {
      type: 'http',
      scheme: 'bearer',
      description: 'dow_…, of POST /v2/partner/widget-instances/{id}/tokens',
    },
    recipient_session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Secure-do_rs',
      description: 'Set by POST /v2/widget/bootstrap, for the paths of one journey',
    },
  };
}

/** partner:contacts:read is "Read contacts". */
function meaningOf(scope: string): string {
  const [, resource = '', action = ''] = scope.split(':');
  const verb = action.charAt(0).toUpperCase() + action.slice(1);
  return `${verb} ${resource.replaceAll(/[_-]/g, ' ')}`;
}

/** By which credentials, each by itself, an endpoint is opened. */
function securityOf(endpoint: EndpointFacts): Json[] {
  const { scope, opensSession } = endpoint;
  if (opensSession) return [{ widget_token: [] }, {}];
  if (isForRecipients(endpoint)) return [{ widget_token: [] }, { recipient_session: [] }];
  const bearerScope = bearerScopeOf(endpoint);
  if (bearerScope === undefined) return [];
  return isScoped(scope) ? [{ oauth2: [bearerScope] }] : [{}, { oauth2: [bearerScope] }];
}

function operationOf(endpoint: EndpointFacts, components: Components): Json {
  const { id, summary, description, deprecation, tag, scope, rateClass } = endpoint;
  const requestBody = requestBodyOf(endpoint, components);
  return {
    operationId: id,
    summary,
    ...wordsOf(description, deprecation),
    tags: [tag],
    security: securityOf(endpoint),
    ...(isScoped(scope) && { 'x-required-scope': scope, 'x-rate-limit-class': rateClass }),
    parameters: parametersOf(endpoint),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, components),
  };
}

/** The description, and the mark by which generated clients warn. */
function wordsOf(description: string, deprecation: Deprecation | undefined): Json {
  if (!deprecation) return { description };
  const { reason, sunset_at } = deprecation;
  const words = `${description} Deprecated: ${reason} It works until ${sunset_at.slice(0, 10)}.`;
  return { description: words, deprecated: true };
}

function requestBodyOf(endpoint: EndpointFacts, components: Components): Json | undefined {
  const { id, body, bodyExample, bodyKind, bodyOptional, stream, streamExamples } = endpoint;
  if (stream) {
    const schema = { type: 'string', format: 'binary' };
    return {
      required: true,
      content: Object.fromEntries(
        stream.mediaTypes.map((type) => {
          const value = streamExamples?.[type];
          return [
            type,
            { schema, ...(value !== undefined && { examples: { example: { value } } }) },
          ];
        }),
      ),
    };
  }
  if (!body) return undefined;
  const media = bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const content: Record<string, Json> = {
    [media]: mediaOf(components, body, bodyName(id), 'request', bodyExample),
  };
  for (const { mediaType, schema, example } of endpoint.otherBodies ?? []) {
    addForm(content, mediaType, { schema: hoistTitled(components, schema), example });
  }
  return { required: !bodyOptional, content };
}

/** If the media type has a schema already, either schema is allowed. */
function addForm(
  content: Record<string, Json>,
  mediaType: string,
  { schema, example }: { schema: unknown; example: unknown },
): void {
  const known = content[mediaType];
  content[mediaType] = {
    schema: known ? { anyOf: [known['schema'], schema] } : schema,
    examples: {
      ...(known && isJson(known['examples']) && { normalized: known['examples']['example'] }),
      native: { value: example },
    },
  };
}

/** Headers of a delivery, by the Standard Webhooks specification. */
const deliveryHeaders = [
  ['webhook-id', 'Id of the event. It is the same for retries and replays.'],
  ['webhook-timestamp', 'Time of the attempt in seconds since 1970. Reject one that is too old.'],
  [
    'webhook-signature',
    'Signatures of "<webhook-id>.<webhook-timestamp>.<body>", each "v1," and base64, separated by spaces.',
  ],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/** The name of an event type, or the word before `.*`, as identifiers of the document may be. */
const partOf = (name: string) => name.replace(/\.\*$/, '');

function webhooksOf(components: Components): Json {
  return Object.fromEntries(
    listEventTypes().map((type) => [
      type.name,
      {
        post: {
          operationId: `on.${partOf(type.name)}`,
          summary: type.description,
          ...(type.deprecation && wordsOf(type.description, type.deprecation)),
          tags: ['Events'],
          parameters: deliveryHeaders,
          security: [],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: nameSchema(components, type.schema, `event.${partOf(type.name)}`),
                example: exampleOf(type),
              },
            },
          },
          responses: {
            '2XX': { description: 'The event was received. Any other status is retried.' },
            '4XX': { description: 'The event is sent again by the retry schedule.' },
          },
        },
      },
    ]),
  );
}
