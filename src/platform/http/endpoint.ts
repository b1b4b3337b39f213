import type { IncomingHttpHeaders } from 'node:http';
import type { TObject, TSchema } from 'typebox';
import type { Principal } from '../auth/principal.ts';
import type { Sql } from '../database/sql.ts';
import type { AddressBudget } from './address-budgets.ts';
import type { Audit } from './audited.ts';
import type { MediaType } from './body.ts';
import type { ParamsOf, Shown, StaticOr } from './declared-types.ts';
import type { HttpError } from './errors.ts';
import type { Trace } from './trace.ts';
import type { Services } from './services.ts';
import type { Download, EndpointFacts, Method } from './endpoint-facts.ts';

/** Input of a handler. */
export interface Call<Params, Query, Body> extends About<Params> {
  /** Connection of this request: a transaction for everything but GET. */
  sql: Sql;
  /** Team of the token; empty for open endpoints. */
  teamId: string;
  principal: Principal;
  query: Query;
  body: Body;
  /**
   * Throws 412 unless If-Match is absent or names the row's `lock_version`. The row must be locked
   * and in the form of the response, since the audit trail compares the two.
   */
  checkPrecondition(row: { lock_version: number }): void;
}

/** Input that is available before there is a connection. */
export type Admitted<Params, Query, Body> = Omit<
  Call<Params, Query, Body>,
  'sql' | 'checkPrecondition'
>;

interface About<Params> {
  params: Params;
  services: Services;
  request: {
    id: string;
    /** Path and query as sent. */
    url: string;
    /** Address of the caller, behind the trusted proxies. */
    address: string;
    /** Part of this request in the budget of its address. */
    budget: AddressBudget;
    headers: Readonly<IncomingHttpHeaders>;
    search: URLSearchParams;
    /** For the audit trail. */
    trace: Trace;
  };
}

/** Input of a receiver of callbacks: no connection, and an unread body. */
export interface RawCall extends About<Readonly<Record<string, string>>> {
  /** Checks the media type (415) and the size (413), then reads the bytes. */
  readBody(mediaTypes: readonly MediaType[], limitBytes: number): Promise<Buffer>;
}

interface AboutAnswer {
  isRepeat?: boolean;
  isAccepted?: boolean;
  headers?: Record<string, string>;
  itemCount?: number | null | undefined;
}

/**
 * A response with headers; or of a repeat, which has the declared `repeatStatus`; or a 202 with the
 * body `accepted`.
 */
export class Answer<Body> {
  readonly body: Body;
  readonly isRepeat: boolean;
  readonly isAccepted: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The number of items that the audit event names. */
  readonly itemCount: number | undefined;

  constructor(body: Body, about: AboutAnswer = {}) {
    this.body = body;
    this.isRepeat = about.isRepeat ?? false;
    this.isAccepted = about.isAccepted ?? false;
    this.headers = about.headers ?? {};
    this.itemCount = about.itemCount ?? undefined;
  }
}

/**
 * One operation of the interface, declared once: router, checks, capabilities, OpenAPI, docs and
 * contract tests all read this value.
 */
export interface Endpoint extends EndpointFacts {
  stream?: BodyStream;
  /**
   * Runs before the transaction opens: a call that waits for a connection must not occupy another
   * one.
   */
  admit?(call: Admitted<Record<string, string>, unknown, unknown>): Promise<void>;
  /** A returned error, unlike a thrown one, is sent after the transaction has been committed. */
  handle(call: Call<Record<string, string>, unknown, unknown>): Promise<unknown>;
  /** For writes that partners make often: concurrent calls share a transaction. */
  together?: Together<Record<string, string>, unknown, unknown>;
  /**
   * Instead of `handle`, for `signed`: the checks have an order of their own, which begins with the
   * id in the path and reads the body late, and transactions are opened there. ADR 35.
   */
  receive?(call: RawCall): Promise<unknown>;
}

/** Handling of concurrent calls of one client in a transaction, which other clients may share. */
export interface Together<Params, Query, Body> {
  /** Whether `handle` takes calls of several clients, each for the team of its principal. */
  mixesTeams?: true;
  /** Whether the handler sets savepoints: the transaction is not shared with other clients. */
  usesSavepoints?: true;
  /** False for a call that is too large to share a transaction. */
  admits?(call: Pick<Call<Params, Query, Body>, 'body'>): boolean;
  /**
   * Returns, for each call in their order, its result or its error; a call with an error has
   * written nothing. Where it throws, the transaction is undone, those of other clients are repeated,
   * and each call runs by itself.
   */
  handle(shared: Shared, calls: readonly Call<Params, Query, Body>[]): Promise<readonly unknown[]>;
}

/** Common part of the calls of one client in one transaction; with `mixesTeams`, of the first call. */
export type Shared = Pick<Call<unknown, unknown, unknown>, 'sql' | 'teamId' | 'services'>;

/**
 * A body that is stored as it comes: `store` runs outside of any transaction, and its result is
 * `body` of `handle`, whose transaction makes it count. The `sha256` identifies a repeat.
 */
export interface BodyStream<Stored extends { sha256: string } = { sha256: string }> {
  mediaTypes: readonly MediaType[];
  /** `bytes` ends, or throws, within `bodyLimitBytes`. */
  store(call: {
    services: Services;
    teamId: string;
    mediaType: MediaType;
    bytes: AsyncIterable<Uint8Array>;
  }): Promise<Stored>;
}

/** Every write declares its audit event, or why it has none; a question need not. */
type Audited = { method: 'GET'; audit?: Audit } | { method: Exclude<Method, 'GET'>; audit: Audit };

interface Declaration<
  Path extends string,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
  Response extends TSchema | undefined,
  Accepted extends TSchema | undefined,
> extends Omit<
  Endpoint,
  | 'method'
  | 'audit'
  | 'path'
  | 'query'
  | 'body'
  | 'response'
  | 'accepted'
  | 'admit'
  | 'handle'
  | 'status'
> {
  path: Path;
  query?: Query;
  body?: Body;
  status?: number;
  response?: Response;
  accepted?: Accepted;
  admit?(
    call: Admitted<ParamsOf<Path>, StaticOr<Query, undefined>, StaticOr<Body, undefined>>,
  ): Promise<void>;
  handle(
    call: Call<ParamsOf<Path>, StaticOr<Query, undefined>, StaticOr<Body, undefined>>,
  ): Promise<Shown<Response> | Answer<Shown<Response> | Shown<Accepted>> | HttpError>;
}

/** Scope of a partner token that verifies a callback to a receiver of its team. */
export const callbackScope = 'partner:incoming-webhooks:write';

/** Declares an endpoint that receives the callbacks of a provider; `body` is for the document. */
export function receivingEndpoint(
  declaration: Omit<
    Endpoint,
    'handle' | 'method' | 'scope' | 'bearerScope' | 'rateClass' | 'audit'
  > & {
    receive(call: RawCall): Promise<unknown>;
  },
): Endpoint {
  return {
    ...declaration,
    method: 'POST',
    scope: 'signed',
    bearerScope: callbackScope,
    rateClass: 'inbound',
    audit: { none: 'callback' },
    handle: () => Promise.reject(new Error(`${declaration.id} is received, not handled`)),
  };
}

interface StreamingDeclaration<
  Path extends string,
  Stored extends { sha256: string },
  Response extends TSchema,
> extends Omit<Endpoint, 'path' | 'query' | 'body' | 'response' | 'stream' | 'handle'> {
  path: Path;
  audit: Audit;
  bodyLimitBytes: number;
  stream: BodyStream<Stored>;
  response: Response;
  handle(call: Call<ParamsOf<Path>, undefined, Stored>): Promise<Shown<Response>>;
}

/**
 * Declares an endpoint whose body is stored unparsed; the result of `store` is `body` of `handle`.
 */
export function streamingEndpoint<
  const Path extends string,
  Stored extends { sha256: string },
  Response extends TSchema,
>(declaration: StreamingDeclaration<Path, Stored, Response>): Endpoint;
export function streamingEndpoint(declaration: Endpoint): Endpoint {
  return declaration;
}

interface DownloadDeclaration<Path extends string, Query extends TObject | undefined> extends Omit<
  Endpoint,
  'method' | 'status' | 'path' | 'query' | 'body' | 'response' | 'handle'
> {
  path: Path;
  query?: Query;
  audit: Audit;
  download: Download;
  handle(
    call: Call<ParamsOf<Path>, StaticOr<Query, undefined>, undefined>,
  ): Promise<AsyncIterable<string> | Answer<AsyncIterable<string>>>;
}

/** Declares an endpoint that returns a text, which is read piece by piece while it is sent. */
export function downloadEndpoint<
  const Path extends string,
  Query extends TObject | undefined = undefined,
>(declaration: DownloadDeclaration<Path, Query>): Endpoint;
export function downloadEndpoint(declaration: Omit<Endpoint, 'method' | 'status'>): Endpoint {
  return { ...declaration, method: 'GET', status: 200 };
}

/** Declares an endpoint; types flow from the schemas into the handler and its result. */
export function endpoint<
  const Path extends string,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Response extends TSchema | undefined = undefined,
  Accepted extends TSchema | undefined = undefined,
>(declaration: Declaration<Path, Query, Body, Response, Accepted> & Audited): Endpoint;
export function endpoint(declaration: Omit<Endpoint, 'status'> & { status?: number }): Endpoint {
  const status = declaration.status ?? (declaration.response ? 200 : 204);
  return { ...declaration, status };
}

/** Whether the widget surface has it: by a widget token, or by the cookie of a session. */
export const isForRecipients = ({ scope }: EndpointFacts) =>
  scope === 'session' || scope.startsWith('widget:');

/** Whether an Idempotency-Key identifies repeats: for clients, not for recipients. ADR 8. */
export const takesKeys = (endpoint: EndpointFacts) =>
  isScoped(endpoint.scope) && !isForRecipients(endpoint);

/** The scope of a token that opens the endpoint; undefined where no token does. */
export const bearerScopeOf = ({ scope, bearerScope }: EndpointFacts) =>
  isScoped(scope) ? scope : bearerScope;

export function isScoped(scope: Endpoint['scope']): scope is `${string}:${string}:${string}` {
  return scope.includes(':');
}
