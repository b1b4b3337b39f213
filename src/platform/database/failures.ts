/** Postgres is unavailable or too slow; the outcome of an unfinished commit is unknown. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DatabaseUnavailable';
  }
}

/** The schema of the database is not one that this version can work with. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';

  static missing(): SchemaMismatch {
    return new SchemaMismatch('The database has no schema yet: run `npm run migrate` first.');
  }

  /** Other migrations have made the schema than those of this version; none leads to these. */
  static ofOthers(names: readonly string[]): SchemaMismatch {
    const [first = '', ...others] = names;
    const which = others.length > 0 ? `${first} and ${String(others.length)} more` : first;
    return new SchemaMismatch(
      `The database was made by other migrations than this version has (${which}), so it cannot be ` +
        'used: start with an empty one, on this machine by `npm run reset -- --yes`.',
    );
  }
}

/** SQLSTATE or driver code of an error, or '' where it has none. */
export function codeOf(error: unknown): string {
  return isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Name of the violated constraint or index, or '' where it has none. */
function constraintOf(error: unknown): string {
  return isObject(error) && 'constraint_name' in error && typeof error.constraint_name === 'string'
    ? error.constraint_name
    : '';
}

// Not `instanceof Error`: an error of another realm, such as a test's sandbox, is none.
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return codeOf(error) === '23505' && constraintOf(error) === constraint;
}

/** A deadlock, a serialization failure or an outdated plan: the transaction may be repeated. */
export function isRetryable(error: unknown): boolean {
  return codeOf(error) === '40001' || codeOf(error) === '40P01' || isOutdatedPlan(error);
}

/** A migration has changed a table since the statement was prepared on its connection. */
export function isOutdatedPlan(error: unknown): boolean {
  const isRefused = codeOf(error) === '0A000' && isObject(error) && 'routine' in error;
  return isRefused && error.routine === 'RevalidateCachedQuery';
}

/** The server ended a statement that took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** A statement waited longer for a lock than `lock_timeout` allows. */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return codeOf(cause) === '55P03';
}

const awayCodes = new Set([
  '57P01', '57P02', '57P03', '53300', '57014', '55P03', '25P03', '25P04',
  'CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT',
]); // prettier-ignore

const networkCodes =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)$/;

/** The server is unavailable, restarting or full, or a deadline ended the statement. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  return awayCodes.has(code) || code.startsWith('08') || networkCodes.test(code);
}
