import { CommanderError } from 'commander';
import { OnwardError } from '../../typescript/src/index.ts';

/** A mistake of the user, with what to do about it. */
export class UsageError extends Error {}

/** Work that ended badly, such as a batch with failed items. */
export class UnfinishedError extends Error {}

/** An error of the service with lines about what to do. */
export class HintedError extends Error {
  readonly error: OnwardError;
  readonly hint: readonly string[];

  constructor(error: OnwardError, hint: readonly string[]) {
    super(error.message);
    this.error = error;
    this.hint = hint;
  }
}

/** Exit codes, as docs/cli.md describes them. */
const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  signIn: 3,
  notFound: 4,
  refused: 5,
  unavailable: 6,
} as const;

export function exitCodeOf(error: unknown): number {
  if (error instanceof HintedError) return exitCodeOf(error.error);
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  if (error instanceof UsageError || isOfFile(error)) return exitCodes.usage;
  return isOnward(error) ? codeOf(error) : exitCodes.failed;
}

function codeOf({ status, code }: OnwardError): number {
  if (code === 'credentials_missing') return exitCodes.signIn;
  if (code === 'connection_failed' || code === 'timed_out') return exitCodes.unavailable;
  if (status === undefined) return exitCodes.failed;
  if (status === 401 || status === 403) return exitCodes.signIn;
  if (status === 404 || status === 410) return exitCodes.notFound;
  if (status === 429 || status === 503) return exitCodes.unavailable;
  return status < 500 ? exitCodes.refused : exitCodes.failed;
}

/** Text for a user, or JSON for a program. Commander has printed its own. */
export function describe(error: unknown, isJson: boolean): string {
  if (error instanceof CommanderError) return '';
  if (error instanceof HintedError) {
    const text = describe(error.error, isJson);
    return isJson ? text : [text, ...error.hint].join('\n');
  }
  if (!isOnward(error)) return isJson ? json({ message: textOf(error) }) : textOf(error);
  const { code, status, requestId, problems, message } = error;
  if (isJson) return json({ code, status, request_id: requestId, message, problems });
  const lines = problems.map(({ detail, meta }) => {
    const place = meta.pointer ?? meta.parameter;
    return `  ${place === undefined ? '' : `${place}: `}${detail}`;
  });
  const page = problems[0]?.meta.docs_url;
  return [
    lines.length > 0 ? `${code} (${String(status)})` : message,
    ...lines,
    ...(requestId === undefined ? [] : [`  Request ${requestId}`]),
    ...(page === undefined ? [] : [`  ${page}`]),
  ].join('\n');
}

export function isOnward(error: unknown): error is OnwardError {
  return error instanceof OnwardError;
}

/** A failure of the file system, such as a file that does not exist. */
const isOfFile = (error: unknown) =>
  error instanceof Error && 'syscall' in error && 'path' in error;

const json = (value: object) => JSON.stringify({ error: value }, undefined, 2);

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Files that cannot be read say which and why.
  const isExpected =
    error instanceof UsageError || error instanceof UnfinishedError || isOfFile(error);
  return isExpected ? error.message : (error.stack ?? error.message);
}
