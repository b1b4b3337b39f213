import { asyncLocalStorage } from '@temporalio/activity';
import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import { addToLogLines } from '../observability/log.ts';
import type { Span } from '../observability/span.ts';
import { continueTrace, findContextBy } from '../observability/tracing.ts';
import { traceHeader } from './trace-header.ts';

/** A run that has ended, as workflows/trace-context.ts reports it. */
interface EndedRun {
  traceparent: string;
  parent: string;
  failure?: string;
}

interface TraceSinks extends Sinks {
  traces: { runEnded(run: EndedRun): void };
}

const spans = new WeakMap<Context, Span>();

/** Attributes by which an operator finds a workflow. */
const workflowAttributes = (workflowId: string | undefined, runId: string | undefined) => ({
  'temporal.workflow.id': workflowId,
  'temporal.workflow.run_id': runId,
});

/** Those of the workflow whose activity calls. */
export function callersWorkflow() {
  const { workflowId, runId } = asyncLocalStorage.getStore()?.info.workflowExecution ?? {};
  return workflowAttributes(workflowId, runId);
}

/** Adds the ids of the workflow, and of the trace, to the lines that an activity logs. */
export function identifyActivities(): void {
  findContextBy(() => spanOfActivity()?.traceparent);
  addToLogLines(() => {
    const { workflowExecution, activityType } = asyncLocalStorage.getStore()?.info ?? {};
    if (!workflowExecution) return {};
    const span = spanOfActivity();
    return {
      workflow_id: workflowExecution.workflowId,
      run_id: workflowExecution.runId,
      activity: activityType,
      ...(span && { trace_id: span.traceId, span_id: span.spanId }),
    };
  });
}

function spanOfActivity(): Span | undefined {
  const context = asyncLocalStorage.getStore();
  return context && spans.get(context);
}

/** A span for each activity of a workflow that a traced request has started or signaled. */
export const traceActivities: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    async execute(input, next) {
      const payload = input.headers[traceHeader];
      if (!payload) return next(input);
      const { activityType, attempt, workflowExecution, workflowType } = context.info;
      const parent = defaultPayloadConverter.fromPayload<string>(payload);
      const span = continueTrace(`activity ${activityType}`, parent, () => ({
        attributes: {
          'temporal.activity.type': activityType,
          'temporal.activity.attempt': attempt,
          'temporal.workflow.type': workflowType,
          ...workflowAttributes(workflowExecution?.workflowId, workflowExecution?.runId),
        },
      }));
      if (!span) return next(input);
      spans.set(context, span);
      try {
        const result = await next(input);
        span.end();
        return result;
      } catch (error) {
        span.end(context.cancellationSignal.aborted ? 'canceled' : nameOf(error));
        throw error;
      }
    },
  },
});

/** The class of an error, which concealFailures leaves as the type of the failure. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  return 'type' in error && typeof error.type === 'string' ? error.type : error.name;
}

/** Exports the spans of runs that have ended. */
export const traceSinks: InjectedSinks<TraceSinks> = {
  traces: {
    runEnded: {
      fn({ workflowId, runId, workflowType, startTime }, { traceparent, parent, failure }) {
        const span = continueTrace(`workflow ${workflowType}`, parent, () => ({
          past: { traceparent, startedAt: startTime },
          attributes: {
            'temporal.workflow.type': workflowType,
            ...workflowAttributes(workflowId, runId),
          },
        }));
        span?.end(failure);
      },
    },
  },
};
