import { addressOf, operationOf } from './operations.ts';
import type { Ids, Query } from './operations.ts';
import { missingScopeOf, renewToken, token } from './session.ts';
import { rowsOf, rowOf, textOf, textsOf } from './values.ts';
import type { Row } from './values.ts';

/** An error response, or a call that the token may not make. */
export class Problem extends Error {
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  readonly missingScopes: readonly string[];

  constructor(problem: Row) {
    super(textOf(problem['title']));
    const meta = rowOf(problem['meta']);
    this.code = textOf(problem['code']);
    this.detail = textOf(problem['detail']);
    this.requestId = textOf(meta['request_id']);
    this.missingScopes = textsOf(meta['missing_scopes']);
  }
}

export interface Call {
  ids?: Ids;
  query?: Query;
  body?: Row | undefined;
  /** Makes a repeat safe (Idempotency-Key). */
  key?: string;
}

/** Calls an operation of the API. Throws a `Problem`, without a request where the scope is missing. */
export async function call(id: string, { ids = {}, query = {}, body, key }: Call = {}) {
  const operation = operationOf(id);
  const scope = missingScopeOf(id);
  if (scope !== undefined) {
    const meta = { missing_scopes: [scope] };
    throw new Problem({ code: 'scope_missing', title: 'The token lacks a scope', meta });
  }
  return send(operation.method, addressOf(operation, ids, query), body, key);
}

async function send(method: string, address: string, body?: Row, key?: string): Promise<Response> {
  const request = () =>
    fetch(address, {
      method,
      headers: {
        Authorization: `Bearer ${token()}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  let response = await request();
  if (response.status === 401 && (await renewToken())) response = await request();
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** As `call`, for an answer that is a JSON object. */
export async function read(id: string, options: Call = {}): Promise<Row> {
  const response = await call(id, options);
  return response.status === 204 ? {} : rowOf(await response.json());
}

/** A body, and how long the next request of its kind should wait, by the rate limit if it is named. */
interface Paced {
  body: Row;
  pauseMs: number | undefined;
}

/** Reads a path that an answer of the API names; any other address is refused. */
export async function readAt(path: string, query: Query): Promise<Paced> {
  if (!/^\/v2\/[\w/-]+$/.test(path)) throw new Error(`${path} is no path of the API.`);
  const response = await send('GET', `${path}?${new URLSearchParams(query).toString()}`);
  const [, aSecond] =
    /-burst";q=(\d+);w=1\b/.exec(response.headers.get('RateLimit-Policy') ?? '') ?? [];
  return {
    body: rowOf(await response.json()),
    pauseMs: aSecond === undefined ? undefined : 1_000 / Number(aSecond),
  };
}

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const [problem] = rowsOf(rowOf(body)['errors']);
  return new Problem(problem ?? { title: `Status ${String(response.status)}` });
}

/** A value that no other call has. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
