import { takesIfMatch } from '../../platform/http/declared-errors.ts';
import { isForRecipients, takesKeys } from '../../platform/http/endpoint.ts';
import type { EndpointFacts } from '../../platform/http/endpoint-facts.ts';
import type { Json } from './components.ts';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    '1 to 255 visible ASCII characters, bare or quoted. A repeat within 24 hours gets the first answer again, marked Idempotent-Replayed: true.',
  schema: { type: 'string', minLength: 1, maxLength: 257 },
  example: 'c6a0f9b2-6f0e-4d6c-9a54-0f6f0d6b7c11',
};

const csrfToken = {
  name: 'X-CSRF-Token',
  in: 'header',
  description:
    'The session.csrf_token of the bootstrap. It is required where the cookie is the credential.',
  schema: { type: 'string' },
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'ETag of the version to change. Any other version is refused with 412.',
  schema: { type: 'string' },
  example: '"3"',
};

const prefer = {
  name: 'Prefer',
  in: 'header',
  description:
    'respond-async answers 202 in any case, and the work continues in the background (RFC 7240).',
  schema: { type: 'string' },
  example: 'respond-async',
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETag of an earlier answer. The same answer is not sent again: 304.',
  schema: { type: 'string' },
};

export function parametersOf(endpoint: EndpointFacts): Json[] {
  const isWrite = endpoint.method !== 'GET';
  return [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...(endpoint.list?.parameters ?? []).map((parameter) => ({ ...parameter })),
    ...(isWrite && takesKeys(endpoint) ? [idempotencyKeyOf(endpoint)] : []),
    ...(isWrite && isForRecipients(endpoint) ? [csrfToken] : []),
    ...(takesIfMatch(endpoint) ? [ifMatch] : []),
    ...(endpoint.takesPrefer ? [prefer] : []),
    ...(endpoint.isConstant ? [ifNoneMatch] : []),
  ];
}

function idempotencyKeyOf({ needsKey, demands }: EndpointFacts): Json {
  const { description } = idempotencyKey;
  const perOperation = `${description} It is required for operations whose idempotency_mode is keyed.`;
  return {
    ...idempotencyKey,
    description: demands ? perOperation : description,
    required: needsKey ?? false,
  };
}

const uuid = { type: 'string', format: 'uuid' };
/** One pattern and no `anyOf`: generated clients then take a plain string. */
const uuidOrPartnerKey = {
  type: 'string',
  pattern: '^(unique_id:.{1,255}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
};

function pathParameters({ path, textParams, keyParams }: EndpointFacts): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const common = { name, in: 'path', required: true };
    if (textParams?.includes(name)) return { ...common, schema: { type: 'string' } };
    if (!keyParams?.includes(name)) return { ...common, schema: uuid };
    const description = 'The id, or unique_id: followed by the partner’s own key.';
    return { ...common, description, schema: uuidOrPartnerKey };
  });
}

function queryParameters({ query }: EndpointFacts): Json[] {
  // Without required fields a schema has no such list at all.
  const required: readonly string[] = query && 'required' in query ? query.required : [];
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}
