import { LocalFailure } from './local-failure.ts';

export interface LocalCall {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  /** Text as it is, with the caller's media type; a form as one; anything else as JSON. */
  body?: string | URLSearchParams | object;
}

/** No response, or a 5xx: a later retry may succeed. */
export class NotAnswered extends LocalFailure {}

/** The response of a local server, with any status. Throws NotAnswered if there is none. */
export async function askLocal(url: string, call: LocalCall = {}): Promise<Response> {
  const { method = call.body ? 'POST' : 'GET', headers = {}, body } = call;
  const isText = typeof body === 'string' || body instanceof URLSearchParams;
  const type = isText ? 'application/x-www-form-urlencoded' : 'application/json';
  return fetch(url, {
    method,
    headers: { ...(body && { 'content-type': type }), ...headers },
    ...(body && { body: isText ? body.toString() : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch((cause: unknown) => {
    throw new NotAnswered(`${url} does not answer. Is \`npm start\` running?`, { cause });
  });
}

/**
 * The same for an API: resolves with the parsed answer. Throws LocalFailure when the status is not
 * 2xx, with the answer's text.
 */
export async function callLocal(url: string, call: LocalCall = {}): Promise<unknown> {
  const response = await askLocal(url, call);
  const text = await response.text();
  if (!response.ok) {
    const Failure = response.status >= 500 ? NotAnswered : LocalFailure;
    const asked = `${call.method ?? (call.body ? 'POST' : 'GET')} ${url}`;
    throw new Failure(`${asked} answers ${String(response.status)}: ${text}`);
  }
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  return value;
}
