import { errorsOf } from '../../platform/http/declared-errors.ts';
import type { Download, EndpointFacts } from '../../platform/http/endpoint-facts.ts';
import { errorCatalog } from '../../platform/http/error-catalog.ts';
import type { ErrorCode } from '../../platform/http/error-catalog.ts';
import { mayHideAnswer, readScopeOfWrite } from '../../platform/http/write-answers.ts';
import { docsUrlOf, withTitle } from '../../platform/http/errors.ts';
import { answerName, mediaOf, schemaReference } from './components.ts';
import type { Components, Json } from './components.ts';
import { commonHeaders, headersOf, successHeaders } from './headers.ts';
import type { HeaderName } from './headers.ts';

/** Every answer of an endpoint by its status. */
export function responsesOf(endpoint: EndpointFacts, components: Components): Json {
  return { ...successes(endpoint, components), ...refusals(endpoint, components) };
}

function successes(endpoint: EndpointFacts, components: Components): Json {
  const { id, status, repeatStatus, response, accepted, download } = endpoint;
  const answer = (at: number, description: string, content: Json | undefined) => ({
    [String(at)]: {
      description,
      headers: headersOf(successHeaders(endpoint, at)),
      ...(content && { content }),
    },
  });
  const json = response && {
    'application/json': mediaOf(components, response, answerName(id), 'answer'),
  };
  const content = json ?? (download && filesOf(download));
  return {
    ...answer(status, content ? meaningOf(status) : 'The request succeeded. No body.', content),
    ...(repeatStatus !== undefined &&
      answer(repeatStatus, 'A repeat or a dry run: nothing was changed.', content)),
    ...(mayHideAnswer(endpoint) &&
      answer(
        204,
        `The request succeeded. The token lacks ${readScopeOfWrite(endpoint) ?? ''}, so nothing is shown.`,
        undefined,
      )),
    ...(endpoint.isConstant &&
      answer(304, 'The client has the current answer. No body.', undefined)),
    ...(accepted &&
      answer(202, meaningOf(202), {
        'application/json': mediaOf(components, accepted, `${answerName(id)}Accepted`, 'answer'),
      })),
  };
}

/** A generated client takes a file of the first type; one of several types as bytes, not as text. */
function filesOf(download: Download): Json {
  const types = Object.entries(download);
  const text = { type: 'string', ...(types.length > 1 && { format: 'binary' }) };
  return Object.fromEntries(
    types.map(([type, example]) => {
      const schema = typeof example === 'string' ? text : { type: 'object' };
      return [type, { schema, example }];
    }),
  );
}

function meaningOf(status: number): string {
  if (status === 201) return 'The resource was created.';
  if (status === 202) return 'The work continues in the background. Poll the address in Location.';
  return 'The request succeeded.';
}

const waits = new Set<ErrorCode>([
  'rate_limited',
  'too_many_operations',
  'unavailable',
  'idempotency_in_progress',
  'execution_not_finished',
  'identity_locked',
]);

function refusals(endpoint: EndpointFacts, components: Components): Json {
  const codes = errorsOf(endpoint);
  const statusOf = (code: ErrorCode): number => errorCatalog[code][0];
  const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b);
  const answers: Json = {};
  for (const status of statuses) {
    const ofStatus = codes.filter((code) => statusOf(code) === status);
    answers[String(status)] = refusal(endpoint, components, status, ofStatus);
  }
  return answers;
}

function refusal(
  endpoint: EndpointFacts,
  components: Components,
  status: number,
  codes: readonly ErrorCode[],
): Json {
  // The HTTP parser refuses a request before its path is known.
  const isOauth = endpoint.path.startsWith('/oauth2/') && status < 431;
  const names: HeaderName[] = commonHeaders(endpoint);
  if (status === 401) names.push('WWW-Authenticate');
  if (codes.some((code) => waits.has(code))) names.push('Retry-After');
  return {
    description: `Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headersOf(names),
    content: {
      'application/json': {
        schema: schemaReference(isOauth ? 'oauth_error' : 'error'),
        examples: Object.fromEntries(
          codes.map((code) => [code, exampleOfCode(components, code, isOauth)]),
        ),
      },
    },
  };
}

function exampleOfCode({ examples }: Components, code: ErrorCode, isOauth: boolean): Json {
  const name = `${isOauth ? 'oauth_' : ''}error_${code}`;
  const [, , remedy] = errorCatalog[code];
  const meta = {
    request_id: '5f0c9a52-1f0b-4c38-9d0e-8a1f3d1c2b4a',
    docs_url: docsUrlOf(code, ''),
  };
  const errors = [withTitle({ code, detail: remedy, meta })];
  const oauth = isOauth && { error: 'invalid_request', error_description: remedy };
  examples[name] ??= { summary: errorCatalog[code][1], value: { ...oauth, errors } };
  return { $ref: `#/components/examples/${name}` };
}
