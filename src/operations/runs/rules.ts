/** Rules of runs, without I/O or clock, for endpoints, activity and workflow. */

export const runStatuses = [
  'queued',
  'validating',
  'running',
  'succeeded',
  'succeeded_with_errors',
  'failed',
  'canceling',
  'canceled',
] as const;
export type RunStatus = (typeof runStatuses)[number];

export const itemStatuses = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

export const failureModes = ['partial_ok', 'transactional'] as const;
export type FailureMode = (typeof failureModes)[number];

/** Transitions of a run: event → status before → status after. */
const transitions = {
  plan: { queued: 'validating', validating: 'validating' },
  start: { queued: 'running', validating: 'running', running: 'running' },
  cancel: {
    queued: 'canceled',
    validating: 'canceling',
    running: 'canceling',
    canceling: 'canceling',
  },
  stop: { canceling: 'canceled' },
  fail: {
    queued: 'failed',
    validating: 'failed',
    running: 'failed',
    canceling: 'canceled',
  },
} as const satisfies Record<string, Partial<Record<RunStatus, RunStatus>>>;

type RunEvent = keyof typeof transitions;

/** The status after an event; undefined where it cannot happen. */
export function after(status: RunStatus, event: RunEvent): RunStatus | undefined {
  const table: Partial<Record<RunStatus, RunStatus>> = transitions[event];
  return table[status];
}

export function isOpen(status: RunStatus): boolean {
  return after(status, 'fail') !== undefined;
}

/** The verb of the event of each state that a run ends in. */
export function endVerb(status: RunStatus) {
  switch (status) {
    case 'succeeded_with_errors':
      return 'partially_succeeded';
    case 'succeeded':
    case 'failed':
    case 'canceled':
      return status;
    default:
      throw new Error(`a run does not end ${status}`);
  }
}

/** Status of a run after its last item. */
export function endOf(
  counts: { total: number; failed: number },
  failureMode: FailureMode,
): RunStatus {
  if (counts.failed === 0) return 'succeeded';
  const isLost = failureMode === 'transactional' || counts.failed === counts.total;
  return isLost ? 'failed' : 'succeeded_with_errors';
}

/** Counts the items that succeeded, failed, or were skipped. */
export function countItems(items: readonly { status: ItemStatus }[]) {
  const count = (wanted: ItemStatus) => items.filter(({ status }) => status === wanted).length;
  const [failed, skipped] = [count('failed'), count('skipped')];
  return { succeeded: items.length - failed - skipped, failed, skipped };
}

/** Running operations of a team. */
export const maxRunning = 5;
export const maxQueued = 100;

/** Items of a run that operators may leave out. */
export const maxLeftOut = 100;

/** Items of one request, and of a run that is all or nothing. */
export const maxItems = 10_000;
export const maxTransactionalItems = 1_000;
/** Records of a file. */
export const maxUploadItems = 1_000_000;

/** Items that are stored together; also the most that are applied together. */
export const chunkSize = 500;
/**
 * Target duration of a transaction, in ms. Short ones write little at a time, so that other work
 * waits less for the disk. With the full share, long ones cost less.
 */
export function maxTransactionMs(share: number): number {
  return share < 1 ? 60 : 300;
}

/** Items of the first transaction of a round, before the time of an item is known. */
export function firstSlice(isSetBased: boolean): number {
  return isSetBased ? 250 : 10;
}

/**
 * Number of items of the next transaction, after one of `size` that took `tookMs`. At least a fifth
 * of the first: on a busy machine even a small transaction takes long.
 */
export function nextSlice(
  size: number,
  tookMs: number,
  { first, targetMs }: { first: number; targetMs: number },
): number {
  const fitting = Math.floor((size * targetMs) / Math.max(1, tookMs));
  return Math.min(chunkSize, size * 4, Math.max(first / 5, fitting));
}

/** Between two polls of a run that is not finished. */
export function pollSeconds({ status, remainingMs }: { status: RunStatus; remainingMs: number }) {
  if (status === 'queued') return 2;
  return Math.min(30, Math.max(1, Math.round(remainingMs / 4_000)));
}

/** Number of occurrences of a code, with the place of the first. */
export interface ErrorCount {
  code: string;
  count: number;
  sample_index: number;
}

/** Codes that a summary names at most. */
const maxCodes = 20;

interface Failure {
  index: number;
  status: ItemStatus;
  errors: readonly { code: string }[];
}

/** The summary with the failed ones of further items added, each by its first code. */
export function addErrors(summary: readonly ErrorCount[], items: readonly Failure[]): ErrorCount[] {
  const counts = new Map(summary.map((entry) => [entry.code, { ...entry }]));
  for (const { index, status, errors } of items) {
    const code = errors[0]?.code;
    if (status !== 'failed' || code === undefined) continue;
    const known = counts.get(code);
    if (known) known.count += 1;
    else if (counts.size < maxCodes) counts.set(code, { code, count: 1, sample_index: index });
  }
  return [...counts.values()];
}

const segment = /^([a-z][a-z\d_]{0,40}|\d{1,6})$/;

/**
 * The field of a JSON pointer, for operators; undefined where there is none. Names below
 * `attributes` and names that no field has are contents: a client chooses them.
 */
export function nameOfField(pointer: string): string | undefined {
  const [, ...segments] = pointer.split('/');
  const open = segments.indexOf('attributes');
  const named = open < 0 ? segments : segments.slice(0, open + 1);
  if (named.length === 0 || !named.every((name) => segment.test(name))) return undefined;
  return `/${named.join('/')}`;
}
