import type { TObject, TSchema } from 'typebox';
import type { Audit } from './audited.ts';
import type { MediaType } from './body.ts';
import type { Deprecation } from './deprecation.ts';
import type { ErrorCode } from './error-catalog.ts';
import type { RateClass } from './rate-limit.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Reason why an endpoint requires no scope: open to all, signed by a provider, or a recipient's
 * session.
 */
export type Unscoped = 'open' | 'signed' | 'session';

/** An example for each media type of a file; that of JSON is an object. */
export type Download = Readonly<Record<string, string | object>>;

/** Properties of an operation, without its handler. */
export interface EndpointFacts {
  /** Operation id of the document. */
  id: string;
  method: Method;
  /** Template form, /v2/partner/accounts/{id}. */
  path: string;
  summary: string;
  /** Two to five full sentences of the document: purpose, effects, repeats, limits, next step. */
  description: string;
  tag: string;
  scope: `${string}:${string}:${string}` | Unscoped;
  rateClass: RateClass;
  /** Error codes beyond those that follow from the declaration (http/declared-errors.ts). */
  errors?: readonly ErrorCode[];
  /** Path parameters that are not ids; every other one is a UUID, and malformed means 404. */
  textParams?: readonly string[];
  /** Ids in the path that may also be written `unique_id:<value>`, the partner's own key. */
  keyParams?: readonly string[];
  query?: TObject;
  body?: TSchema;
  /** An example of the body, where one with the required fields alone would be refused or say little. */
  bodyExample?: Readonly<Record<string, unknown>>;
  /** The body may be left out altogether. */
  bodyOptional?: boolean;
  bodyKind?: 'json' | 'form';
  /** Other forms of the body, for the document alone: `receive` reads them itself. */
  otherBodies?: readonly DocumentedBody[];
  bodyLimitBytes?: number;
  /** Keys of all objects in the body together; 10,000 unless given. */
  bodyLimitKeys?: number;
  /** Instead of `body`: a body that is too large for memory. */
  stream?: { mediaTypes: readonly MediaType[] };
  /** Examples of such a body. */
  streamExamples?: Readonly<Partial<Record<MediaType, string>>>;
  status: number;
  /** Status of a response that changed nothing: an existing resource, or a dry run. */
  repeatStatus?: number;
  /** Absent for 204. */
  response?: TSchema;
  /** The answer shows something of the resource of the scope without being one. */
  showsResource?: boolean;
  /** By the interface document a client without the read scope gets the resource as well. */
  showsWriters?: boolean;
  /** The body of a 202, for a request whose work may also continue in the background. */
  accepted?: TSchema;
  /**
   * Instead of `response`: an example of the file for each media type that it may have; it has the
   * first, unless a header of the response sets another. `handle` yields it piece by piece.
   */
  download?: Download;
  /** The header `Prefer: respond-async` makes it respond with 202. */
  takesPrefer?: boolean;
  /** Location of a 201 or 202, with fields of the response: /v2/partner/accounts/{id}. */
  location?: string;
  /**
   * Headers of a success beyond those that follow from the declaration; of the 202 where there is
   * an `accepted`.
   */
  answerHeaders?: readonly AnswerHeader[];
  /** The stored response of an idempotent request contains a secret and is sealed. */
  showsSecret?: boolean;
  /**
   * The audit event of a call, or why it has none. The pipeline writes it with the change; the row
   * given to `checkPrecondition` is the state before. Every write and download declares it.
   */
  audit?: Audit;
  /** An Idempotency-Key is required, for every path. */
  needsKey?: boolean;
  /** For `signed`: a partner token with this scope proves a call as well. */
  bearerScope?: `${string}:${string}:${string}`;
  /** For recipients: it makes the session, so that nothing but its body need prove anything. */
  opensSession?: boolean;
  /** A POST that must not have one, or a GET of several statements that see one moment. */
  transaction?: false | { deadlineMs: number };
  list?: ListFacts;
  /** The response is the same for every call during the lifetime of the process. */
  isConstant?: boolean;
  /** Requirements of a call in addition to `scope` and `rateClass`, which depend on its path. */
  demands?(params: Readonly<Record<string, string>>): Demands | undefined;
  /** Its responses have the headers `Deprecation`, `Sunset` and `Link`; see docs/versioning.md. */
  deprecation?: Deprecation;
  /** False for what is not to be in the request log. */
  isLogged?: boolean;
}

/** A repeat has only the cookie. */
export type AnswerHeader =
  'Retry-After' | 'Location' | 'ETag' | 'Set-Cookie' | 'Clear-Site-Data' | 'Content-Disposition';

/** A form of a body with an example of it. */
export interface DocumentedBody {
  mediaType: MediaType;
  schema: TSchema;
  example: unknown;
}

export interface Demands {
  scopes: readonly string[];
  /** An additional budget from which the call takes a request. */
  rateClass: RateClass;
  /** Whether an Idempotency-Key is required. */
  needsKey: boolean;
}

/** Properties of a list that the document and the capabilities show in addition to its endpoint. */
export interface ListFacts {
  parameters: readonly { name: string; schema: object }[];
  includeScopes: Readonly<Record<string, string>>;
}
