import pino from 'pino';

export type Log = pino.Logger;

/** JSON lines on standard output. What may hold a secret or a person's data is never given to it. */
export function createLog(level: string, name: string): Log {
  return pino({
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  });
}

/**
 * An error for the log: its kind, code and stack. The message of a database error can quote a row,
 * so only its SQLSTATE and constraint are kept.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const fromDatabase = error.name === 'PostgresError';
  return {
    kind: error.name,
    ...('code' in error && { code: error.code }),
    ...('constraint_name' in error && { constraint: error.constraint_name }),
    ...(!fromDatabase && { message: error.message }),
    stack: error.stack?.split('\n').slice(1).join('\n'),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
