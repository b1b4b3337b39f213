import type { Events } from './generated/events.ts';
import { signWith } from './webhooks.ts';
import type { EventOf, EventType } from './webhooks.ts';

/** A secret like those of subscriptions. */
export const testSecret = `whsec_${btoa('a secret that only tests know   ')}`;

/** An event with this data, as the service would record it. */
export function createEvent<Type extends keyof Events & EventType>(
  type: Type,
  data: Events[Type]['data'],
  more: Partial<Omit<EventOf<Type>, 'type' | 'data'>> = {},
) {
  return {
    id: crypto.randomUUID(),
    timestamp: new Date().toISOString(),
    team_id: '00000000-0000-4000-8000-000000000000',
    api_version: 'v2',
    sequence: 1,
    ...more,
    type,
    data,
  };
}

/** Body and headers of a webhook, signed with each of the secrets as during a rotation. */
export async function signWebhook(
  event: { id: string; type: string },
  secrets: string | readonly string[] = testSecret,
  { nowMs = Date.now() }: { nowMs?: number } = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  const body = JSON.stringify(event);
  const seconds = Math.floor(nowMs / 1_000);
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  const signatures = all.map((secret) => signWith(secret, event.id, seconds, body));
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': (await Promise.all(signatures)).join(' '),
    'webhook-event-type': event.type,
  };
  return { body, headers };
}

/** A request that a fake service received. */
export interface FakeRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Headers;
  body: string;
}

export interface FakeFetch {
  /** For the option `fetch` of the client. */
  fetch: typeof fetch;
  /** All but those for tokens. */
  requests: FakeRequest[];
}

type Respond = (request: FakeRequest) => Response | object | undefined;

/**
 * A service without a network: gives tokens, and answers a request by `respond`, with a Response or
 * with an object that is sent as JSON. What it does not answer is 404.
 */
export function createFakeFetch(respond: Respond): FakeFetch {
  const requests: FakeRequest[] = [];
  const fake = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    if (pathname === '/oauth2/token') {
      const token = { access_token: 'test-token', token_type: 'Bearer', expires_in: 3600 };
      return Response.json({ ...token, scope: '' });
    }
    const received = {
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: await request.text(),
    };
    requests.push(received);
    const answer = respond(received) ?? failWith('not_found', 404);
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return { fetch: fake, requests };
}

/** A refusal as the service sends it. */
export function failWith(code: string, status: number, headers: Record<string, string> = {}) {
  const meta = { request_id: 'test', docs_url: '' };
  const errors = [{ code, title: code, detail: code, meta }];
  return Response.json({ errors }, { status, headers });
}
