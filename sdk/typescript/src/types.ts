import type { Paged } from './generated/schemas.ts';

/** A time: a Date, or text such as `2026-01-31T09:30:00Z`. */
export type Time = string | Date;

/** Fields to sort by, in order of weight; "-" in front for descending. */
export type Sort<Field extends string> = Field | `-${Field}` | readonly (Field | `-${Field}`)[];

/** Conditions on a field, all of which hold. */
export type Operators<Value, Operator extends string> = {
  [Name in Operator]?: Name extends 'in' | 'nin'
    ? readonly Value[]
    : Name extends 'present' | 'missing'
      ? boolean
      : Value;
};

/** A value that the field equals, or conditions. */
export type Filter<Value, Operator extends string> = Value | Operators<Value, Operator>;

export type AttributeOperator =
  'eq' | 'neq' | 'in' | 'nin' | 'present' | 'missing' | 'contains' | 'starts_with' | 'ends_with';

export interface PageQuery {
  /** Items in a page, from 1 to 100. */
  size?: number;
  /** `page.next_cursor` of a page. */
  after?: string;
  /** `page.prev_cursor` of a page. */
  before?: string;
}

export interface RequestOptions {
  /** For all tries of this call. By default, a random one for each call that changes something. */
  idempotencyKey?: string;
  /** `ETag` of the version that the call expects; another one is refused with 412. */
  ifMatch?: string;
  /** Ends the call and its tries. */
  signal?: AbortSignal;
  /** For each try; 30 seconds by default, and none for uploads. */
  timeoutMs?: number;
  /** Tries after the first; 4 by default. */
  maxRetries?: number;
  /** Instead of the token of the client, such as the token of a widget. */
  accessToken?: string;
  /** Type of the body, where an operation takes several: `text/csv`, `application/x-ndjson`, … */
  contentType?: string;
  /** Sent as they are, such as `{ Prefer: 'respond-async' }`. */
  headers?: Readonly<Record<string, string>>;
}

export interface Answer<Data> {
  data: Data;
  response: Response;
  /** `X-Request-Id`: support finds the request by it. */
  requestId: string | undefined;
}

/** The data of an answer, or all of it. */
export interface ApiPromise<Data> extends Promise<Data> {
  withResponse(): Promise<Answer<Data>>;
}

/**
 * One page of a list when it is awaited; every item of all pages in `for await`. A list that changes
 * meanwhile shows no item twice and leaves out none that was there all the time.
 */
export interface ListPromise<Page extends Paged<unknown>>
  extends ApiPromise<Page>, AsyncIterable<Page['data'][number]> {
  /** This page and those after it. */
  pages(): AsyncIterable<Page>;
}

/** A file that can be read again for another try: a Blob, a `Bun.file`, or `openFile(path)`. */
export interface FileLike {
  /** Content type: `text/csv` or `application/x-ndjson`. */
  readonly type: string;
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** A stream is sent once; anything else is sent again when a try fails. */
export type UploadBody = string | Uint8Array<ArrayBuffer> | FileLike | ReadableStream<Uint8Array>;

export interface ClientOptions {
  /** Address of the service, such as `https://api.example.com`. */
  baseUrl: string;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** Scopes of the token, separated by spaces; by default all that the client has. */
  scope?: string;
  /** Instead of a client: a token, or what gives one, such as that of a widget. */
  accessToken?: string | (() => string | Promise<string>);
  /** For each try; 30 seconds by default. */
  timeoutMs?: number;
  /** Tries after the first; 4 by default. */
  maxRetries?: number;
  /**
   * Sends secrets and tokens to an `http://` address of another machine; by default that is refused,
   * since everybody on the way could read them.
   */
  allowHttp?: boolean;
  /** Instead of the global one. */
  fetch?: typeof fetch;
}
