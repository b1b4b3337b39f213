import { AsyncLocalStorage } from 'node:async_hooks';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

/** Name of the header of workflows and activities; workflows/trace-context.ts passes it on. */
export const traceHeader = 'traceparent';

const contexts = new AsyncLocalStorage<string>();

/** Runs a call to Temporal with the context of a trace in its header, if there is one. */
export function withTraceHeader<T>(traceparent: string | undefined, call: () => T): T {
  return traceparent === undefined ? call() : contexts.run(traceparent, call);
}

/** Client calls have no option for headers; interceptors add them. */
export const addTraceHeader: WorkflowClientInterceptor = {
  signalWithStart(input, next) {
    const traceparent = contexts.getStore();
    if (traceparent === undefined) return next(input);
    const header = { [traceHeader]: defaultPayloadConverter.toPayload(traceparent) };
    return next({ ...input, headers: { ...input.headers, ...header } });
  },
};
