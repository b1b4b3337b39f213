import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { bearerScopeOf, isForRecipients, isScoped, takesKeys } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { errorCatalogue } from '../http/error-catalogue.ts';
import { eventTypes } from '../events/catalog.ts';

type Json = Record<string, unknown>;

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    '1 to 255 visible ASCII characters, bare or quoted. A repeat within 24 hours gets the first answer again, marked Idempotent-Replayed: true.',
  schema: { type: 'string', minLength: 1, maxLength: 257 },
};

const csrfToken = {
  name: 'X-CSRF-Token',
  in: 'header',
  description: 'session.csrf_token of the bootstrap; needed where the cookie is the credential.',
  schema: { type: 'string' },
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'ETag of the version that is to be changed; another version answers 412.',
  schema: { type: 'string' },
};

/** The OpenAPI 3.1 document of the whole interface, computed from the declared endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[], publicBaseUrl: string): Json {
  const components: Json = { error: errorSchema() };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operationOf(endpoint, components);
  }
  const scopes = [
    ...new Set(
      endpoints
        .filter((endpoint) => !isForRecipients(endpoint))
        .map(({ scope }) => scope)
        .filter(isScoped),
    ),
  ].sort();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Onward',
      version: '2.0.0',
      description:
        'Team-scoped customer onboarding and engagement. Every error is listed at /docs/errors ' +
        'and by GET /v2/meta/error-codes, every event type by GET /v2/meta/event-types.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicBaseUrl }],
    security: [],
    paths,
    webhooks: webhooksOf(components),
    components: {
      schemas: components,
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: `${publicBaseUrl}/oauth2/token`,
              scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])),
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
      },
    },
  };
}

/** By which credentials, each by itself, an endpoint is opened. */
function securityOf(endpoint: Endpoint): Json[] {
  const { scope, opensSession } = endpoint;
  if (opensSession) return [{ widget_token: [] }, {}];
  if (isForRecipients(endpoint)) return [{ widget_token: [] }, { recipient_session: [] }];
  const bearerScope = bearerScopeOf(endpoint);
  if (bearerScope === undefined) return [];
  return isScoped(scope) ? [{ oauth2: [bearerScope] }] : [{}, { oauth2: [bearerScope] }];
}

function operationOf(endpoint: Endpoint, components: Json): Json {
  const { id, summary, tag, scope, method, status, repeatStatus, response, body, bodyKind } =
    endpoint;
  const { accepted } = endpoint;
  const scoped = isScoped(scope);
  const success = (description: string) => ({
    description,
    ...(response && { content: { 'application/json': { schema: hoist(response, components) } } }),
    ...(endpoint.download && { content: { [endpoint.download]: { schema: { type: 'string' } } } }),
  });
  const media = bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    operationId: id,
    summary,
    tags: [tag],
    security: securityOf(endpoint),
    ...(scoped && { 'x-required-scope': scope, 'x-rate-limit-class': endpoint.rateClass }),
    parameters: [
      ...pathParameters(endpoint),
      ...queryParameters(endpoint),
      ...(endpoint.list?.parameters ?? []),
      ...(takesKeys(endpoint) && method !== 'GET'
        ? [{ ...idempotencyKey, required: endpoint.needsKey ?? false }]
        : []),
      ...(isForRecipients(endpoint) && method !== 'GET' ? [csrfToken] : []),
      ...(method === 'PATCH' || (method === 'DELETE' && takesKeys(endpoint)) ? [ifMatch] : []),
    ],
    ...(body && {
      requestBody: {
        required: !endpoint.bodyOptional,
        content: { [media]: { schema: hoist(body, components) } },
      },
    }),
    ...(endpoint.stream && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          endpoint.stream.mediaTypes.map((type) => [
            type,
            { schema: { type: 'string', format: 'binary' } },
          ]),
        ),
      },
    }),
    responses: {
      [String(status)]:
        response || endpoint.download ? success('Done') : { description: 'Done; no body' },
      ...(repeatStatus !== undefined && {
        [String(repeatStatus)]: success('A repeat or a dry run: nothing was changed'),
      }),
      ...(accepted && {
        '202': {
          description: 'It goes on by itself: poll Location',
          content: { 'application/json': { schema: hoist(accepted, components) } },
        },
      }),
      default: {
        description: 'Refused; the codes are listed at /docs/errors',
        content: { 'application/json': { schema: reference('error') } },
      },
    },
  };
}

const partnerKey = { type: 'string', pattern: '^unique_id:.{1,255}$' };

function pathParameters({ path, textParams, keyParams }: Endpoint): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: textParams?.includes(name)
      ? { type: 'string' }
      : keyParams?.includes(name)
        ? { anyOf: [{ type: 'string', format: 'uuid' }, partnerKey] }
        : { type: 'string', format: 'uuid' },
  }));
}

function queryParameters({ query }: Endpoint): Json[] {
  // Without required fields a schema has no such list at all.
  const required: readonly string[] = query && 'required' in query ? query.required : [];
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** Replaces every titled object schema by a reference, so that generated clients get named types. */
function hoist(schema: TSchema, components: Json): unknown {
  return walk(schema, components);
}

function walk(value: unknown, components: Json): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => walk(item, components));
  if (typeof value !== 'object' || value === null) return value;
  const plain = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('~'))
      .map(([key, item]: [string, unknown]) => [key, walk(item, components)]),
  );
  const title =
    'title' in value && 'type' in value && value.type === 'object' ? value.title : undefined;
  if (typeof title !== 'string') return plain;
  const known = components[title];
  if (known !== undefined && !isDeepStrictEqual(known, plain)) {
    throw new Error(`two schemas have the title ${title}`);
  }
  components[title] = plain;
  return reference(title);
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function errorSchema(): Json {
  return {
    type: 'object',
    title: 'error',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['code', 'title', 'detail', 'meta'],
          properties: {
            code: { type: 'string', enum: Object.keys(errorCatalogue) },
            title: { type: 'string' },
            detail: { type: 'string' },
            meta: {
              type: 'object',
              required: ['request_id', 'docs_url'],
              properties: {
                request_id: { type: 'string' },
                docs_url: { type: 'string' },
                pointer: { type: 'string', description: 'JSON Pointer into the body' },
                parameter: { type: 'string', description: 'Query, path or header parameter' },
              },
            },
          },
        },
      },
    },
  };
}

function webhooksOf(components: Json): Json {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([name, { description, schema }]) => [
      name,
      {
        post: {
          operationId: `on.${name}`,
          summary: description,
          tags: ['Webhooks'],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: hoist(schema, components) } },
          },
          responses: { '2XX': { description: 'Taken; anything else is tried again' } },
        },
      },
    ]),
  );
}
