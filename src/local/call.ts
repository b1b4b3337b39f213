import { LocalFailure } from './local-failure.ts';

export interface LocalCall {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  /** Text as it is, with the caller's media type; a form as one; anything else as JSON. */
  body?: string | URLSearchParams | object;
}

/** The response of a local server, with any status. */
async function askLocal(url: string, call: LocalCall = {}): Promise<Response> {
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
    throw new LocalFailure(`${url} does not answer. Is \`npm start\` running?`, { cause });
  });
}

/**
 * Resolves with the parsed answer of an API. Throws LocalFailure where there is none, or when the
 * status is not 2xx, with the answer's text.
 */
export async function callLocal(url: string, call: LocalCall = {}): Promise<unknown> {
  const response = await askLocal(url, call);
  const text = await response.text();
  if (!response.ok) {
    const asked = `${call.method ?? (call.body ? 'POST' : 'GET')} ${url}`;
    throw new LocalFailure(`${asked} answers ${String(response.status)}: ${text}`);
  }
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  return value;
}
