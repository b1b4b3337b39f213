import { errorCatalogue } from './error-catalogue.ts';
import type { ErrorCode } from './error-catalogue.ts';

/** One entry of `errors[]` before it is rendered. `meta` may carry `pointer` or `parameter`. */
export interface Problem {
  code: ErrorCode;
  detail: string;
  meta?: Record<string, unknown>;
}

/** A refusal meant for the client; anything else that is thrown is a bug and becomes a 500. */
export class HttpError extends Error {
  readonly problems: readonly [Problem, ...Problem[]];
  readonly headers: Readonly<Record<string, string>>;

  constructor(problems: readonly [Problem, ...Problem[]], headers: Record<string, string> = {}) {
    super(problems.map((problem) => `${problem.code}: ${problem.detail}`).join('; '));
    this.name = 'HttpError';
    this.problems = problems;
    this.headers = headers;
  }

  get status(): number {
    return errorCatalogue[this.problems[0].code][0];
  }
}

/** Makes the error to throw for one problem. */
export function fail(
  code: ErrorCode,
  about: { detail: string; meta?: Record<string, unknown>; headers?: Record<string, string> },
): HttpError {
  const { detail, meta, headers } = about;
  return new HttpError([{ code, detail, ...(meta && { meta }) }], headers);
}

/** Makes the error to throw for everything that is wrong at once; the first decides the status. */
export function failAll(problems: readonly Problem[]): HttpError {
  const [first, ...rest] = problems;
  if (!first) throw new Error('failAll needs at least one problem');
  return new HttpError([first, ...rest]);
}

/** Page that says what a code means and what to do. */
export function docsUrlOf(code: string, docsBase: string): string {
  return `${docsBase}/docs/errors/${code}`;
}

/** The problem of something that stands at this place of the body. */
export function placed(problem: Problem, place: string): Problem {
  const pointer: unknown = problem.meta?.['pointer'];
  if (typeof pointer !== 'string') return problem;
  return { ...problem, meta: { ...problem.meta, pointer: `${place}${pointer}` } };
}

/** A problem with its constant title. */
export function entitled({ code, detail, meta }: Problem) {
  return { code, title: errorCatalogue[code][1], detail, ...(meta && { meta }) };
}

/** Body of an error answer, as the interface document says. */
export function renderErrors(error: HttpError, requestId: string, docsBase: string) {
  return {
    errors: error.problems.map((problem) => ({
      ...entitled(problem),
      meta: {
        ...problem.meta,
        request_id: requestId,
        docs_url: docsUrlOf(problem.code, docsBase),
      },
    })),
  };
}
