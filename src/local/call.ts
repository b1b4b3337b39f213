import { LocalFailure } from './local-failure.ts';

export interface LocalCall {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  /** Text as it is, with the caller's media type; a form as one; anything else as JSON. */
  body?: string | URLSearchParams | object;
}

/**
 * A request to a server on this machine; resolves with the parsed answer. Throws LocalFailure when
 * there is no answer or the status is not 2xx, with the answer's text.
 */
export async function callLocal(url: string, call: LocalCall = {}): Promise<unknown> {
  const { method = call.body ? 'POST' : 'GET', headers = {}, body } = call;
  const isText = typeof body === 'string' || body instanceof URLSearchParams;
  const type = isText ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await fetch(url, {
    method,
    headers: { ...(body && { 'content-type': type }), ...headers },
    ...(body && { body: isText ? body.toString() : JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  }).catch((cause: unknown) => {
    throw new LocalFailure(`${url} does not answer. Is \`npm start\` running?`, { cause });
  });
  const text = await response.text();
  if (!response.ok) {
    throw new LocalFailure(`${method} ${url} answers ${String(response.status)}: ${text}`);
  }
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  return value;
}
