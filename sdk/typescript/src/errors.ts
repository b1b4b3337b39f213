import type { ErrorCodeName, ErrorItem } from './generated/schemas.ts';

/** Codes of the service, listed at `GET /v2/meta/error-codes`. */
export type ErrorCode = ErrorCodeName;

/** Codes of failures without an answer of the service. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'timed_out'
  | 'wait_timed_out'
  | 'unexpected_answer'
  | 'credentials_missing'
  | 'webhook_invalid';

export type KnownCode = ErrorCode | ClientErrorCode;

interface Failure {
  status?: number | undefined;
  problems?: readonly ErrorItem[];
  requestId?: string | undefined;
  headers?: Headers;
  operationId?: string | undefined;
  cause?: unknown;
}

/** Every failure but a canceled call, which ends with the reason of its signal. */
export class OnwardError<Code extends string = string> extends Error {
  override readonly name = 'OnwardError';
  /** `contact_merged`, `rate_limited`, …; test it with `isCode`. */
  readonly code: Code;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** Everything that the answer names, such as each invalid field. */
  readonly problems: readonly ErrorItem[];
  /** `X-Request-Id`: support finds the request by it. */
  readonly requestId: string | undefined;
  readonly operationId: string | undefined;
  readonly headers: Headers | undefined;

  constructor(code: Code, message: string, failure: Failure = {}) {
    super(message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = code;
    this.status = failure.status;
    this.problems = failure.problems ?? [];
    this.requestId = failure.requestId;
    this.operationId = failure.operationId;
    this.headers = failure.headers;
  }
}

export function isOnwardError(error: unknown): error is OnwardError {
  return error instanceof OnwardError;
}

/** Whether an error has one of these codes: `isCode(error, 'unique_id_taken')`. */
export function isCode<Code extends KnownCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is OnwardError<Code> {
  return isOnwardError(error) && codes.some((code) => code === error.code);
}

/** The error that a refusal stands for; also where a proxy sent it in a form of its own. */
export async function readFailure(response: Response, operationId: string): Promise<OnwardError> {
  const text = await response.text().catch(() => '');
  const problems = problemsOf(text);
  const [first] = problems;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const where = requestId === undefined ? '' : ` (request ${requestId})`;
  const { status, headers } = response;
  const facts = { status, problems, requestId, headers, operationId };
  if (first) return new OnwardError(first.code, `${first.code}: ${first.detail}${where}`, facts);
  const message = `${operationId} was answered ${String(status)} in an unknown form${where}`;
  return new OnwardError('unexpected_answer', message, facts);
}

function problemsOf(text: string): ErrorItem[] {
  try {
    const body: unknown = JSON.parse(text);
    const { errors }: { errors?: unknown } = typeof body === 'object' && body ? body : {};
    return Array.isArray(errors) ? errors.filter(isProblem) : [];
  } catch {
    return [];
  }
}

function isProblem(value: unknown): value is ErrorItem {
  return typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;
}
