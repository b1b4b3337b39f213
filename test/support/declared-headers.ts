import { readFileSync } from 'node:fs';
import { endpoints } from '../../src/app/endpoints.ts';
import { createRouter } from '../../src/platform/http/router.ts';
import type { Match } from '../../src/platform/http/router.ts';
import { isRecord } from '../reach/places.ts';

/** Headers that every answer may carry: HTTP itself, security and the rules of browsers. */
const common = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'pragma',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);
/** Rules of browsers, for the origins that a team admits. */
const isOfBrowsers = (name: string) => name.startsWith('access-control-');

const match = createRouter(endpoints);
let document: unknown;

/** Throws if an answer of an operation has a header that its OpenAPI document does not name. */
export function checkDeclaredHeaders(
  method: string,
  url: string,
  { status, headers }: { status: number; headers: Headers },
): void {
  const found = matchOf(method, url.split('?', 1)[0] ?? '');
  if (!found || status === 405) return;
  document ??= JSON.parse(
    readFileSync(new URL('../contract/openapi.json', import.meta.url), 'utf8'),
  );
  const answer = resolved(
    at(document, 'paths', found.path, found.method.toLowerCase(), 'responses', String(status)),
  );
  // Codes are checked where they are declared.
  if (!answer) return;
  const declared = new Set(Object.keys(at(answer, 'headers') ?? {}).map((n) => n.toLowerCase()));
  const others = [...headers.keys()].filter(
    (name) => !common.has(name) && !isOfBrowsers(name) && !declared.has(name),
  );
  if (others.length > 0) {
    throw new Error(
      `${found.id} answers ${String(status)} with headers that the document does not name: ${others.join(', ')}. Declare them in answerHeaders, then run \`npm run generate -- openapi\`.`,
    );
  }
}

function matchOf(method: string, path: string): Match['endpoint'] | undefined {
  try {
    return match(method, path).endpoint;
  } catch {
    return undefined;
  }
}

function at(value: unknown, ...path: readonly string[]): Record<string, unknown> | undefined {
  let found = value;
  for (const name of path) found = isRecord(found) ? found[name] : undefined;
  return isRecord(found) ? found : undefined;
}

function resolved(answer: Record<string, unknown> | undefined) {
  const reference = answer?.['$ref'];
  return typeof reference === 'string' ? at(document, ...reference.split('/').slice(1)) : answer;
}
