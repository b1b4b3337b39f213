import type { TracingConfig } from '../config.ts';
import type { Log } from './log.ts';
import type { Span, SpanOptions, Tracer } from './span.ts';

// One per process, as the metrics are: undefined unless spans are exported.
let tracer: Tracer | undefined;
let contextOfWork: () => string | undefined = () => undefined;

/**
 * Exports spans from now on, if the settings name a collector; otherwise no package of OpenTelemetry
 * is loaded. Returns what ends it.
 */
export async function startTracing(
  { tracing }: { tracing: TracingConfig | undefined },
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  if (!tracing) return { stop: () => Promise.resolve() };
  const { createTracer } = await import('./tracer.ts');
  const started = createTracer(tracing, log);
  tracer = started;
  return {
    stop() {
      tracer = undefined;
      return started.stop();
    },
  };
}

/** Starts a span, if it is to be exported. */
export function startSpan(name: string, options: () => SpanOptions): Span | undefined {
  return tracer?.start(name, options());
}

/** Starts a span in the trace of its parent; none without one. */
export function continueTrace(
  name: string,
  parent: string | null | undefined,
  options: () => Omit<SpanOptions, 'parent'>,
): Span | undefined {
  if (!tracer || parent == null) return undefined;
  return tracer.start(name, { ...options(), parent });
}

/** Sets where the context of work in the background is found: of an activity, its span. */
export function findContextBy(find: () => string | undefined): void {
  contextOfWork = find;
}

/** The context of the activity that the caller is part of, when it is traced. */
export function currentTraceparent(): string | undefined {
  return tracer && contextOfWork();
}
