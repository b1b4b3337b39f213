import { errorCatalog } from './error-catalog.ts';
import type { ErrorCode } from './error-catalog.ts';
import type { Trace } from './trace.ts';
import { shorten } from '../cut-text.ts';

/** One entry of `errors[]` before it is rendered. `meta` may carry `pointer` or `parameter`. */
export interface Problem {
  code: ErrorCode;
  detail: string;
  meta?: Record<string, unknown>;
}

/** Problems that one response names; one more entry contains the number of the others. */
export const maxProblems = 50;
/** Problems that the result of one item names: there are thousands of results. */
export const maxItemProblems = 10;
/** A problem repeats at most so many characters in `detail`, and in each text of `meta`. */
const maxDetailLength = 1_000;
const maxMetaLength = 500;
const maxMetaItems = 500;
/** Body of a rejected request. */
export const maxErrorBytes = 65_536;
/** Members around `errors`; those of OAuth repeat the first detail. */
const envelopeBytes = 8_192;
/** Problems that the message of an error names, for logs and for failures of workflows. */
const maxInMessage = 5;

/**
 * Collects problems up to the limit. Validation stops when the list is full: one problem more than
 * a response names is enough to know that there are others.
 */
export class ProblemList {
  readonly all: Problem[] = [];

  get isFull(): boolean {
    return this.all.length > maxProblems;
  }

  add(...problems: readonly Problem[]): void {
    for (const problem of problems) {
      if (this.isFull) return;
      this.all.push(problem);
    }
  }

  /** Throws when there is a problem. */
  check(): void {
    if (this.all.length > 0) throw failAll(this.all);
  }
}

/** The problems that are shown, each cut to a bounded length. */
export function limitProblems(problems: readonly Problem[], most = maxProblems): Problem[] {
  const shown = problems.slice(0, most).map(bounded);
  const [first] = problems;
  const others = problems.length - shown.length;
  return first && others > 0 ? [...shown, andMore(first.code, others)] : shown;
}

function andMore(code: ErrorCode, others: number): Problem {
  return { code, detail: `And at least ${String(others)} more.` };
}

function bounded({ code, detail, meta }: Problem): Problem {
  return {
    code,
    detail: shorten(detail, maxDetailLength),
    ...(meta && { meta: Object.fromEntries(Object.entries(meta).map(boundedEntry)) }),
  };
}

const boundedEntry = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  boundedValue(value),
];

function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, maxMetaLength);
  if (Array.isArray(value)) return value.slice(0, maxMetaItems).map(boundedValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value).slice(0, maxMetaItems);
  return Object.fromEntries(entries.map(boundedEntry));
}

/** The client whose credentials were refused. */
export interface Subject {
  teamId: string;
  clientId: string;
}

/** A refusal meant for the client; anything else that is thrown is a bug and becomes a 500. */
export class HttpError extends Error {
  readonly problems: readonly [Problem, ...Problem[]];
  readonly headers: Readonly<Record<string, string>>;
  /** For the audit trail; no response contains it. */
  readonly subject: Subject | undefined;

  constructor(
    problems: readonly [Problem, ...Problem[]],
    { headers = {}, subject }: { headers?: Record<string, string>; subject?: Subject } = {},
  ) {
    const [first, ...rest] = limitProblems(problems);
    if (!first) throw new Error('an error has at least one problem');
    const named = [first, ...rest.slice(0, maxInMessage - 1)];
    super(named.map(({ code, detail }) => `${code}: ${detail}`).join('; '));
    this.name = 'HttpError';
    this.problems = [first, ...rest];
    this.headers = headers;
    this.subject = subject;
  }

  get status(): number {
    return errorCatalog[this.problems[0].code][0];
  }
}

/** Makes the error to throw for one problem. */
export function fail(
  code: ErrorCode,
  about: Omit<Problem, 'code'> & { headers?: Record<string, string>; subject?: Subject },
): HttpError {
  const { detail, meta, ...rest } = about;
  return new HttpError([{ code, detail, ...(meta && { meta }) }], rest);
}

/** The 409 of an action that the state of a resource, named as its `type`, does not allow. */
export function actionNotAllowed(
  resource: string,
  { state, action, allowed }: { state: string; action: string; allowed: readonly string[] },
): HttpError {
  return fail('invalid_state_transition', {
    detail: `The ${nounOf(resource)} is ${state} and does not allow the action ${action}.`,
    meta: { resource, state, action, allowed_actions: allowed },
  });
}

/** The 404 of a resource, named as its `type`. */
export const notFound = (resource: string) =>
  fail('not_found', { detail: `No such ${nounOf(resource)}.`, meta: { resource } });

/** The 409 of a field that must be unique, with the resource that has the value. */
export const taken = (
  code: ErrorCode,
  resource: string,
  field: string,
  holder: { id: string } | undefined,
) =>
  fail(code, {
    detail: `Another ${nounOf(resource)} of the team has this ${field}.`,
    meta: { pointer: `/${field}`, ...holder },
  });

/** The 422 of a field that cannot be changed. */
export const immutable = (resource: string, field: string) =>
  fail('immutable_field', {
    detail: `${field} cannot be changed; create another ${nounOf(resource)}.`,
    meta: { pointer: `/${field}` },
  });

const nounOf = (resource: string) => resource.replaceAll('_', ' ');

/** Creates the error for all problems together; the first determines the status. */
export function failAll(problems: readonly Problem[]): HttpError {
  const [first, ...rest] = problems;
  if (!first) throw new Error('failAll needs at least one problem');
  return new HttpError([first, ...rest]);
}

/** The error of a call; throws what is none, such as a fault of the database. */
export function refusalOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  throw error;
}

/** Page with the meaning of a code and its remedy. */
export function docsUrlOf(code: string, docsBase: string): string {
  return `${docsBase}/docs/errors/${code}`;
}

/** The problem of a value at this place of the body. */
export function withPointerPrefix(problem: Problem, place: string): Problem {
  const pointer: unknown = problem.meta?.['pointer'];
  if (typeof pointer !== 'string') return problem;
  return { ...problem, meta: { ...problem.meta, pointer: `${place}${pointer}` } };
}

/** A problem with its constant title. */
export function withTitle({ code, detail, meta }: Problem) {
  return { code, title: errorCatalog[code][1], detail, ...(meta && { meta }) };
}

/** Body of an error response, in the documented form; never larger than `maxErrorBytes`. */
export function renderErrors(
  error: HttpError,
  { requestId, serverRequestId }: Pick<Trace, 'requestId' | 'serverRequestId'>,
  docsBase: string,
) {
  const shown = (problem: Problem) => ({
    ...withTitle(problem),
    meta: {
      ...problem.meta,
      request_id: requestId,
      server_request_id: serverRequestId,
      docs_url: docsUrlOf(problem.code, docsBase),
    },
  });
  const errors: ReturnType<typeof shown>[] = [];
  let roomBytes = maxErrorBytes - envelopeBytes;
  for (const [index, problem] of error.problems.entries()) {
    const entry = shown(problem);
    roomBytes -= Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (roomBytes >= 0) {
      errors.push(entry);
      continue;
    }
    const { code, detail } = problem;
    if (index === 0) errors.push(shown({ code, detail }));
    const others = error.problems.length - errors.length;
    if (others > 0) errors.push(shown(andMore(code, others)));
    break;
  }
  return { errors };
}
