/** As Temporal reads it: `10 seconds`. */
type Duration = `${number} ${'second' | 'minute' | 'hour'}${'' | 's'}`;

/** Wakes a workflow: rows that it is about have changed, or may have. Always harmless. */
export const changedSignal = 'changed';

/** The process that drains a lane has ended: a restart need not wait for its heartbeats. */
export const ownerLostSignal = 'ownerLost';

/** A row, by its team and its id: what a job is about. */
export interface JobTarget {
  teamId: string;
  id: string;
}

/** Arguments of the workflow of a job. */
export interface JobArguments extends JobTarget {
  /** Passed on by the earlier runs of the chain. */
  state?: unknown;
}

/** A background job of a row, as its workflow, the relay and the commands of operators know it. */
export interface JobShape {
  /** In `workflow_outbox`. */
  name: string;
  /** Type of the workflow; its activity is called the same, with `Round` behind. */
  workflow: string;
  /** The id of a workflow is this, a slash and the id of the row. */
  idPrefix: string;
  /** Purpose, in a line. */
  summary: string;
  /** Path of the resource in the API. */
  resource(id: string): string;
  round: {
    /** In the timeline of the Temporal UI. */
    summary: string;
    /** `onward-main` unless given. */
    taskQueue?: string;
    /** 3 minutes unless given; a lost worker is noticed by its heartbeats. */
    startToCloseTimeout?: Duration;
    /** 10 seconds unless given. */
    heartbeatTimeout?: Duration;
    /** Longest pause before an attempt that follows a failed one; 10 seconds unless given. */
    longestPause?: Duration;
  };
  /**
   * Effect of a cancellation request in Temporal: `row` cancels the row, as the API does. Otherwise
   * the request ends only the workflow, which starts again, and this says what to do instead.
   */
  cancel: 'row' | { instead: string };
  /** Requests of operators to the workflow, by name. */
  updates?: Readonly<Record<string, UpdateShape>>;
  /** Whether a request started it, which the audit trail then names. */
  isRequested?: true;
  /** Whether a run stays on the version of the workers that it began with: it ends within hours. */
  isPinned?: true;
  /** Search attribute that the id of the row is, in addition to the team. */
  attribute?: 'templateId' | 'subscriptionId' | 'receiverId' | 'cohortId';
}

/** An Update of a workflow. Every request says who asks: `operator`. */
export interface UpdateShape {
  description: string;
  /** Whole numbers of the request, with their limits. */
  numbers?: Readonly<Record<string, { least: number; most: number; usual?: number }>>;
  /** Whether the request must say why. */
  needsReason?: true;
}

/** A request of an operator: Temporal does not pass on who asks. */
export interface OperatorRequest {
  /** Name for the audit trail. */
  operator: string;
  /** Why, in a sentence without personal data. */
  reason?: string;
  [number: string]: unknown;
}

/** A sentence about what was done, or why nothing was. */
export type Answer = { done: string } | { refusal: string };

/** Input of one round of a job. */
export interface RoundRequest<State> extends JobTarget {
  /** Passed on by the round before; undefined in the first of a chain. */
  state?: State;
  /** False where the time has come, and nobody has signaled a change. */
  isSignaled: boolean;
  /** The clock of the workflow in epoch ms, which determines what is due. */
  asOfMs: number;
}

/** Values of search attributes that a round sets; null removes one. */
export interface ShownValues {
  /** Epoch ms. */
  dueAt?: number | null;
  waiting?: number;
  operationKind?: string;
  templateId?: string;
  contactId?: string;
  receiverId?: string;
  subscriptionId?: string;
}

/** The result of a workflow, which names its outcome. */
export interface JobResult {
  outcome: string;
  [fact: string]: unknown;
}

/** Findings of a round, and what follows. */
export interface Round<State> {
  /** State of the row in words, for the Temporal UI. */
  details: string;
  shown?: ShownValues;
  /** For the next round. */
  state?: State;
  next:
    | { kind: 'again' }
    /** Until a change is signaled, or this time has come. */
    | { kind: 'wait'; atMs: number; summary: string }
    /** `unlessSignaled`: a change during the round begins another one. */
    | { kind: 'end'; result: JobResult; isFailed?: boolean; unlessSignaled?: boolean };
}

/** The id of the workflow of a row. */
export function jobId({ idPrefix }: Pick<JobShape, 'idPrefix'>, id: string): string {
  return `${idPrefix}/${id}`;
}

/** Type of the activity of a workflow. */
export const roundName = (workflow: string) => `${workflow}Round`;

/** The same loop for many rows: one long activity that drains them, and ends when nothing waits. */
export interface LaneShape {
  /** Type of the workflow; its activity is called the same, with `Round` behind. */
  workflow: string;
  idPrefix: string;
  summary: string;
  /** Markdown for the Temporal UI. */
  details: string;
  taskQueue: string;
  /** Advice after a cancellation in Temporal. */
  instead: string;
}

export interface LaneArguments {
  lane: number;
  /** Counts of the earlier runs that this one continues. */
  before?: LaneReport;
}

/** The result of a drain, with the counts of all runs since the lane had no workflow. */
export interface LaneReport {
  counts: Record<string, number>;
  /** The teams it was busiest for, at its last drain that did something. */
  teams?: Record<string, number>;
  details: string;
  /** Time until something of the lane is due; null if nothing has a time. */
  nextDueInMs: number | null;
}

/** Work that a schedule starts. */
export interface ScheduleShape {
  /** Type of the workflow; its activity is called the same, with `Round` behind. */
  workflow: string;
  /** Id of the schedule, and prefix of the ids of its runs. */
  id: string;
  taskQueue: string;
  startToCloseTimeout: Duration;
}

export interface ScheduleArguments {
  /** Name of a task of maintenance. */
  task?: string;
  /** Items that earlier runs of the chain have processed. */
  done?: number;
}

export interface ScheduleReport {
  details: string;
  result: object;
  /** Arguments of the next run, where work is left. */
  rest?: ScheduleArguments;
}
