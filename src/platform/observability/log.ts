import { types } from 'node:util';
import pino from 'pino';
import { inSource } from './source-frames.ts';
import { cutText } from '../cut-text.ts';

export type Log = pino.Logger;

let describeWork: () => Readonly<Record<string, unknown>> = () => ({});

/** Sets what is added to each line from now on, such as the ids of the work that logs it. */
export function addToLogLines(describe: typeof describeWork): void {
  describeWork = describe;
}

/** JSON lines on standard output. Secrets and personal data are never passed to it. */
export function createLog(
  level: string,
  name: string,
  destination: pino.DestinationStream = pino.destination(),
): Log {
  const options = {
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // A copy, since pino adds the fields of the line to it.
    mixin: () => ({ ...describeWork() }),
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

const maxCauses = 4;
const maxFrames = 20;
const maxLine = 300;

/**
 * An error for the log: class, code, constraint and table, and the frames of its stack. Messages of
 * drivers, libraries and the runtime quote rows, addresses and input, over several lines; only
 * messages that this code wrote are logged.
 */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  // Unlike `instanceof`, this recognizes errors of another realm, such as a test's sandbox.
  if (!types.isNativeError(error)) return { kind: typeof error };
  const frames = framesOf(error);
  return {
    kind: isIdentifier(error.name) ? error.name : 'Error',
    ...identifiersOf(error),
    ...(isWrittenHere(error, frames) && { message: firstLineOf(error.message) }),
    stack: frames.join('\n'),
    ...(error.cause !== undefined &&
      depth < maxCauses && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** Names of the schema and of system calls, under the names that the log shows. */
const identifiers = {
  code: 'code',
  constraint_name: 'constraint',
  table_name: 'table',
  column_name: 'column',
  syscall: 'syscall',
} as const;

function identifiersOf(error: Error): Record<string, unknown> {
  const found = Object.entries(identifiers).map(([property, shown]): [string, unknown] => [
    shown,
    Object.getOwnPropertyDescriptor(error, property)?.value,
  ]);
  return Object.fromEntries(found.filter(([, value]) => isIdentifier(value)));
}

const isIdentifier = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^\w{1,80}$/.test(value));

/** The lines after the message; none where the message was changed and its end is unknown. */
function framesOf({ message, stack = '' }: Error): string[] {
  const at = stack.indexOf(message);
  if (at < 0) return [];
  return stack
    .slice(at + message.length)
    .split('\n')
    .filter((line) => /^ +at /.test(line))
    .slice(0, maxFrames)
    .map((line) => cutText(inSource(line), maxLine));
}

/** Errors that the runtime throws within this code; their messages may quote a value. */
const runtimeErrors = new Set(['TypeError', 'RangeError', 'SyntaxError', 'URIError']);
/** A program whose places are not known has the code of packages too. */
const foreignFrame = /node_modules|node:|\(<anonymous>\)|dist\/programs/;

function isWrittenHere({ name }: Error, [first]: readonly string[]): boolean {
  return first !== undefined && !foreignFrame.test(first) && !runtimeErrors.has(name);
}

const firstLineOf = (message: string) => cutText(message.split('\n', 1).join(''), maxLine);
