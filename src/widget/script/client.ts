import type { Challenge, Channel, Event, Factor, Model, Page, Session, Verdict } from './model.ts';

/** With what a session begins: a token of the page, or the link of the recipient. */
export interface Credentials {
  token?: string | undefined;
  linkToken?: string | undefined;
  /** Requests another token from the page, once the first has expired. */
  getToken?: (() => Promise<string>) | undefined;
}

/** Longest wait for an answer: a connection that is lost on the way says nothing. */
const maxWaitMs = 30_000;

/** Events of a client. */
interface Listener {
  /** The session has ended: by time, by a sign-out elsewhere, or with its journey. */
  onEnd(): void;
}

/** A refusal of the service; `code` is one of /docs/errors, or "offline". */
export class Refusal extends Error {
  readonly code: string;
  readonly meta: Readonly<Record<string, unknown>>;

  constructor(code: string, meta: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.meta = meta;
  }
}

export interface Client {
  begin(): Promise<Model>;
  enroll(fields: object): Promise<Model>;
  journey(): Promise<Model>;
  page(id: string): Promise<Page>;
  record(...events: readonly Event[]): Promise<void>;
  consent(channel: Channel, status: string, disclosure: string): Promise<{ status: string }>;
  ask(factor?: Factor): Promise<Challenge>;
  answer(challengeId: string, answer: string): Promise<Verdict>;
  /** Ends the session. */
  signOut(): Promise<void>;
  /** Time of the last response. */
  lastAnswerMs(): number;
  /** Whether the browser keeps the cookie, to which a passed challenge belongs. */
  keepsCookie(): boolean;
}

/**
 * Speaks with the service: by the cookie of the session, or by the token itself in a browser that
 * keeps no cookie of another site.
 */
export function createClient(base: string, credentials: Credentials, { onEnd }: Listener): Client {
  let { token } = credentials;
  let csrfToken = '';
  let hasCookie = true;
  let path = '';
  let lastMs = Date.now();

  async function send<Answer>(method: string, at: string, body?: object): Promise<Answer> {
    const isBeginning = path === '' || at.endsWith('/bootstrap');
    const headers: Record<string, string> = {};
    if (body) headers['Content-Type'] = 'application/json';
    if (token !== undefined && (isBeginning || !hasCookie)) {
      headers['Authorization'] = `Bearer ${token}`;
    } else if (method !== 'GET') headers['X-CSRF-Token'] = csrfToken;
    const init: RequestInit = {
      method,
      headers,
      credentials: 'include',
      keepalive: method !== 'GET',
    };
    const ending = new AbortController();
    const timer = setTimeout(() => {
      ending.abort();
    }, maxWaitMs);
    const { signal } = ending;
    const request = { ...init, signal, ...(body && { body: JSON.stringify(body) }) };
    const reply = await fetch(base + at, request).catch(() => {
      clearTimeout(timer);
      throw new Refusal('offline');
    });
    const answer: unknown = await reply.json().catch(() => ({}));
    clearTimeout(timer);
    lastMs = Date.now();
    if (reply.ok) return trusted<Answer>(answer);
    const [error] = trusted<{ errors?: { code: string; meta: object }[] }>(answer).errors ?? [];
    throw new Refusal(error?.code ?? 'offline', { ...error?.meta });
  }

  function keep(session: Session): void {
    csrfToken = session.csrf_token ?? csrfToken;
  }

  async function begin(): Promise<Model> {
    const isByToken = token !== undefined;
    try {
      return await open('bootstrap', isByToken ? {} : { link_token: credentials.linkToken ?? '' });
    } catch (error) {
      // A token is over after an hour, and once its recipient has passed a challenge.
      if (!isByToken || !credentials.getToken || !isOver(error)) throw error;
      token = await credentials.getToken();
      return open('bootstrap', {});
    }
  }

  async function open(at: string, body: object): Promise<Model> {
    const model = await send<Model>('POST', `/v2/widget/${at}`, body);
    path = `/v2/widget/journeys/${model.journey.id}`;
    keep(model.session);
    return model;
  }

  async function call<Answer>(method: string, at: string, body?: object): Promise<Answer> {
    try {
      return await attempt<Answer>(method, at, body);
    } catch (error) {
      if (isOver(error)) onEnd();
      throw error;
    }
  }

  /** Retries without the cookie if none was stored, and with another token if one expired. */
  async function attempt<Answer>(method: string, at: string, body?: object): Promise<Answer> {
    try {
      return await sendHere<Answer>(method, at, body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'token_missing' && token !== undefined) hasCookie = false;
      else if (isOver(error) && credentials.getToken) {
        token = await credentials.getToken();
        await begin();
      } else throw error;
      return sendHere<Answer>(method, at, body);
    }
  }

  /** Another tab or element may have replaced the cookie: retries with the CSRF token of that one. */
  async function sendHere<Answer>(method: string, at: string, body?: object): Promise<Answer> {
    try {
      return await send<Answer>(method, path + at, body);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'csrf_invalid') throw error;
      keep((await send<Model>('GET', path)).session);
      return send<Answer>(method, path + at, body);
    }
  }

  return {
    begin,
    enroll: (fields) => open('enrollments', fields),
    journey: () => call('GET', ''),
    page: (id) => call('GET', `/pages/${id}`),
    async record(...events) {
      // The service knows the time; the clock of a visitor may be wrong by hours.
      const sent = events.map((event) => ({ unique_id: newId(), ...event }));
      await call('POST', '/events', { events: sent });
    },
    consent: (channel, status, disclosure) =>
      call('PUT', `/consents/${channel}`, { status, disclosure }),
    ask: (factor) => call('POST', '/identity-challenges', factor ? { factor } : {}),
    async answer(challengeId, answer) {
      const at = `/identity-challenges/${challengeId}/answers`;
      const verdict = await call<Verdict>('POST', at, { answer });
      if (verdict.session) {
        keep(verdict.session);
        // The assurance belongs to the cookie; the token has ended.
        token = undefined;
      }
      return verdict;
    },
    async signOut() {
      await sendHere('DELETE', '/session').catch((error: unknown) => {
        if (!isOver(error)) throw error;
      });
    },
    lastAnswerMs: () => lastMs,
    keepsCookie: () => hasCookie,
  };
}

/** A random id, also in a page without TLS, where browsers have no `randomUUID`. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

const isOver = (error: unknown) =>
  error instanceof Refusal &&
  /^(session_expired|token_(expired|invalid|missing))$/.test(error.code);

/** The service validates its responses against the document, so they have the declared type. */
function trusted<Answer>(answer: unknown): Answer;
function trusted(answer: unknown): unknown {
  return answer;
}
