import { EgressError } from '../../../platform/egress/failure.ts';
import { HttpError } from '../../../platform/http/errors.ts';
import type { Failure } from '../upload-status.ts';

/** Reason why a file could not be fetched. Its text is for the partner and contains no secrets. */
export class FetchFailure extends Error {
  readonly failure: Failure;
  /** Whether another attempt may succeed. */
  readonly isTemporary: boolean;

  constructor(code: string, detail: string, isTemporary = false) {
    super(`${code}: ${detail}`);
    this.name = 'FetchFailure';
    this.failure = { code, detail };
    this.isTemporary = isTemporary;
  }
}

export const temporary = (code: string, detail: string) => new FetchFailure(code, detail, true);

export const failures = {
  inactive: () =>
    new FetchFailure('source_inactive', 'The file source is inactive or was deleted.'),
  notReadable: (detail: string) => new FetchFailure('source_not_readable', detail),
  notFound: () => new FetchFailure('file_not_found', 'The file is not on the server.'),
  loginRefused: () =>
    new FetchFailure('login_refused', 'The server refuses the credential of the file source.'),
  hostKey: (shown: string) =>
    new FetchFailure(
      'host_key_mismatch',
      `The key of the server, ${shown}, is none of host_key_fingerprints. Nothing was sent to it.`,
    ),
  tooLarge: (limitBytes: number) =>
    new FetchFailure(
      'payload_too_large',
      `A file has at most ${String(limitBytes / 1_000_000)} MB.`,
    ),
  wrongType: (detail: string) => new FetchFailure('unsupported_media_type', detail),
  changed: () =>
    new FetchFailure('file_changed', 'The file is not the one of the callback: sha256 differs.'),
  incomplete: () =>
    temporary('connection_lost', 'The connection ended before the file was complete.'),
  tooSlow: (what: string) => temporary('source_too_slow', `The server ${what}.`),
  giveUp: () =>
    new FetchFailure('internal_error', 'An error of the service ended the fetch several times.'),
};

/** Failure of a fetch that the source or a limit has caused. */
export function fetchFailureOf(error: unknown): FetchFailure | undefined {
  if (error instanceof FetchFailure) return error;
  if (error instanceof EgressError) {
    const { failure, message } = error;
    const isRefused = failure === 'target_not_allowed';
    const code = isRefused ? failure : 'connection_failed';
    return new FetchFailure(code, `The server cannot be used: ${message}.`, !isRefused);
  }
  if (error instanceof HttpError && error.status < 500) {
    const [{ code, detail }] = error.problems;
    return new FetchFailure(code, detail, error.status === 429);
  }
  return undefined;
}
