import { codeOf, DatabaseUnavailable } from '../database/failures.ts';
import { LocalFailure } from '../local/local-failure.ts';

/** What an operator can do about it, where that is known; the password is never shown. */
export function explainDatabaseFailure(error: unknown, url: string): unknown {
  const { host, username, pathname } = new URL(url);
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  switch (codeOf(cause)) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EHOSTUNREACH':
      return new LocalFailure(`No Postgres answers at ${host}. Start it, or mend the address.`, {
        cause: error,
      });
    case '28P01':
    case '28000':
      return new LocalFailure(`Postgres at ${host} refuses the user ${username} or its password.`, {
        cause: error,
      });
    case '3D000':
      return new LocalFailure(
        `There is no database ${pathname.slice(1)} at ${host}. Make it: create database ${pathname.slice(1)}.`,
        { cause: error },
      );
    case '42P01':
      return new LocalFailure(
        'The schema is missing or older than this version: run `npm run migrate`.',
        {
          cause: error,
        },
      );
    default:
      return error;
  }
}
