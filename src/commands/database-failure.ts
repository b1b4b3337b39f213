import { codeOf, DatabaseUnavailable } from '../platform/database/failures.ts';
import { LocalFailure } from '../local/local-failure.ts';

/** Converts a known failure to a message with the fix; the password is never shown. */
export function explainDatabaseFailure(error: unknown, url: string): unknown {
  const { host, username, pathname } = new URL(url);
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  const code = codeOf(cause);
  if (isCertificateFault(code)) {
    return new LocalFailure(
      `The certificate of Postgres at ${host} is not trusted (${code}). DATABASE_SSL_CA_FILE must name its authority, and the host must be a name in the certificate.`,
      { cause: error },
    );
  }
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EHOSTUNREACH':
      return new LocalFailure(`No Postgres answers at ${host}. Start it, or correct the address.`, {
        cause: error,
      });
    case '28000':
      return new LocalFailure(
        `Postgres at ${host} refuses the connection: ${cause instanceof Error ? cause.message : ''}.`,
        { cause: error },
      );
    case '28P01':
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

/** Codes of Node and OpenSSL for a chain, a date or a name that does not verify. */
function isCertificateFault(code: string): boolean {
  return /CERT|SIGNATURE|^(UNABLE_TO_|INVALID_CA|PATH_LENGTH_|HOSTNAME_MISMATCH)/.test(code);
}
