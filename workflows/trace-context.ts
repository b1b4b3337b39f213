import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import { ContinueAsNew, isCancellation, proxySinks, workflowInfo } from '@temporalio/workflow';
import type { Sinks, WorkflowInterceptorsFactory } from '@temporalio/workflow';

const headerName = 'traceparent';

/** A run that has ended, for the worker, which exports its span. */
export interface EndedRun {
  /** The context of the run itself. */
  traceparent: string;
  parent: string;
  /** Code of its failure. */
  failure?: string;
}

interface TraceSinks extends Sinks {
  traces: { runEnded(run: EndedRun): void };
}

const { traces } = proxySinks<TraceSinks>();

function contextIn(headers: Headers): string | undefined {
  const payload = headers[headerName];
  return payload && defaultPayloadConverter.fromPayload<string>(payload);
}

function withContext(headers: Headers, traceparent: string): Headers {
  return { ...headers, [headerName]: defaultPayloadConverter.toPayload(traceparent) };
}

/** The id of a run is random, and is the same in each replay. */
const spanIdOf = (runId: string) => runId.replaceAll('-', '').slice(-16);

/**
 * Passes the trace context of a request from the start or a signal of a workflow to its activities
 * and to the run that continues it. Without one it does nothing, and it issues no command.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let started: string | undefined;
  let current: string | undefined;
  return {
    inbound: [
      {
        execute(input, next) {
          const parent = contextIn(input.headers);
          if (parent === undefined) return next(input);
          const [version = '', traceId = '', , flags = ''] = parent.split('-');
          const traceparent = [version, traceId, spanIdOf(workflowInfo().runId), flags].join('-');
          started = parent;
          current ??= traceparent;
          const end = (failure?: string) =>
            traces.runEnded({ traceparent, parent, ...(failure !== undefined && { failure }) });
          return next(input).then(
            (result) => {
              end();
              return result;
            },
            (error: unknown) => {
              end(failureOf(error));
              throw error;
            },
          );
        },
        handleSignal(input, next) {
          // The work from here on belongs to the request that has signaled, traced or not. The signal
          // that started the run has the context of the start.
          const signaled = contextIn(input.headers);
          if (signaled === undefined || signaled !== started) current = signaled;
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity(input, next) {
          if (current === undefined) return next(input);
          return next({ ...input, headers: withContext(input.headers, current) });
        },
        continueAsNew(input, next) {
          if (current === undefined) return next(input);
          return next({ ...input, headers: withContext(input.headers, current) });
        },
      },
    ],
  };
};

function failureOf(error: unknown): string | undefined {
  if (error instanceof ContinueAsNew) return undefined;
  if (isCancellation(error)) return 'canceled';
  return error instanceof Error ? error.name : 'Error';
}
