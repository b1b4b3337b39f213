import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalog } from '../src/platform/http/error-catalog.ts';
import { errorPage, isErrorCode } from '../src/meta/pages.ts';

/** The pages of error codes as files, for servers other than the API. */
export function writeErrorPages(folder: string): void {
  mkdirSync(join(folder, 'errors'));
  for (const code of Object.keys(errorCatalog).filter(isErrorCode)) {
    writeFileSync(
      join(folder, 'errors', `${code}.html`),
      errorPage([{ name: 'Documentation', href: '/docs' }], code),
    );
  }
}
