import {
  bearerScopeOf,
  isForRecipients,
  isScoped,
  takesKeys,
} from '../../platform/http/endpoint.ts';
import type { AnswerHeader, EndpointFacts } from '../../platform/http/endpoint-facts.ts';
import { mayHideAnswer } from '../../platform/http/write-answers.ts';

type Json = Record<string, unknown>;

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Response headers, as named components. */
const headers = {
  'X-Request-Id': text(
    'Id of the request: the one that the client sent in this header, or a new one.',
    '5f0c9a52-1f0b-4c38-9d0e-8a1f3d1c2b4a',
  ),
  RateLimit: text(
    'Requests that are left in the budget, and the seconds until it grows again.',
    '"read";r=1499;t=1',
  ),
  'RateLimit-Policy': text(
    'Budgets of the class: q requests in a window of w seconds.',
    '"read";q=1500;w=60, "read-burst";q=50;w=1',
  ),
  'Retry-After': {
    description: 'Seconds to wait before the request is repeated.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  Location: text(
    'Path of the resource that was made, or of the one that shows the progress.',
    '/v2/partner/contacts/0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11',
  ),
  ETag: text(
    'Strong validator of this version, where the resource has versions; send it in If-Match with a change.',
    '"3"',
  ),
  'Idempotent-Replayed': {
    description: 'Present where the answer is the stored one of the first request with this key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Link: text(
    'Addresses of the next and the previous page, and of the successor of a deprecated operation, RFC 8288.',
    '<https://api.example.com/v2/partner/contacts?page%5Bafter%5D=abc>; rel="next"',
  ),
  Deprecation: text(
    'When the operation was deprecated, in seconds since 1970, RFC 9745.',
    '@1795564800',
  ),
  Sunset: text('The operation works until then, RFC 8594.', 'Thu, 25 Nov 2027 00:00:00 GMT'),
  'Set-Cookie': text(
    'The session of a recipient, limited to one journey; cleared where the session ends. Absent for pages of another origin that may not have it.',
    '__Secure-do_rs=…; Path=/v2/widget/journeys/0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11; HttpOnly',
  ),
  'Clear-Site-Data': text('Removes all data of the session from the browser.', '"cache"'),
  'Content-Disposition': text(
    'Name of the file, RFC 6266.',
    'attachment; filename="contacts-0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11.csv"',
  ),
  'WWW-Authenticate': text(
    'Challenge of RFC 6750, with the scopes that are missing.',
    'Bearer realm="onward", error="invalid_token"',
  ),
} as const satisfies Record<string, Json>;

export type HeaderName = keyof typeof headers;

/** Without those of deprecated operations where there are none. */
export function headersUsedBy(endpoints: readonly EndpointFacts[]): Json {
  const { Deprecation, Sunset, ...others } = headers;
  const isUsed = endpoints.some(({ deprecation }) => deprecation !== undefined);
  return { ...others, ...(isUsed && { Deprecation, Sunset }) };
}

export function headersOf(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const isLimited = (endpoint: EndpointFacts) =>
  isScoped(endpoint.scope) ||
  isForRecipients(endpoint) ||
  bearerScopeOf(endpoint) !== undefined ||
  endpoint.opensSession;

/** Headers that any answer of the endpoint carries. */
export function commonHeaders(endpoint: EndpointFacts): HeaderName[] {
  const names: HeaderName[] = ['X-Request-Id'];
  if (isLimited(endpoint)) names.push('RateLimit', 'RateLimit-Policy');
  const { deprecation } = endpoint;
  if (deprecation) names.push('Deprecation', 'Sunset');
  if (deprecation?.replacement?.path !== undefined) names.push('Link');
  return names;
}

/** Resources have a version, by which a change can be made conditional. */
function hasVersion({ response, accepted }: EndpointFacts, status: number): boolean {
  const shown = status === 202 && accepted ? undefined : response;
  const fields: unknown = shown && 'properties' in shown ? shown.properties : undefined;
  return typeof fields === 'object' && fields !== null && 'id' in fields && 'inserted_at' in fields;
}

/** A repeat makes nothing and waits for nothing, but begins a session too. */
const isOfRepeats = (name: AnswerHeader) => name === 'Set-Cookie';

/** Headers of a success with this status. */
export function successHeaders(endpoint: EndpointFacts, status: number): HeaderName[] {
  const names = commonHeaders(endpoint);
  const { list, method, location, accepted, repeatStatus, answerHeaders = [] } = endpoint;
  const isHidden = status === 204 && mayHideAnswer(endpoint);
  if (endpoint.isConstant || (hasVersion(endpoint, status) && !isHidden)) names.push('ETag');
  if (list && !names.includes('Link')) names.push('Link');
  const isNamed = isHidden || status === 201 || status === 202 || status === repeatStatus;
  if (location !== undefined && isNamed) names.push('Location');
  if (!accepted || status === 202)
    names.push(...answerHeaders.filter((name) => status !== repeatStatus || isOfRepeats(name)));
  if (method !== 'GET' && takesKeys(endpoint)) names.push('Idempotent-Replayed');
  return names;
}
