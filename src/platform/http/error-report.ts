import { appendFileSync } from 'node:fs';
import { errorsOf } from './declared-errors.ts';
import type { Endpoint } from './endpoint.ts';
import { HttpError } from './errors.ts';

/**
 * For tests: writes each error code that an endpoint returns without declaring it to the file, one
 * `<operation> <code>` a line. Does nothing without a file.
 */
export function createErrorReport(file: string | undefined) {
  return (endpoint: Endpoint, error: unknown): void => {
    if (file === undefined || !(error instanceof HttpError)) return;
    const declared = errorsOf(endpoint);
    const codes = new Set(error.problems.map(({ code }) => code));
    for (const code of codes) {
      if (!declared.includes(code)) appendFileSync(file, `${endpoint.id} ${code}\n`);
    }
  };
}
