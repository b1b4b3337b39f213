import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import type { Context, Link, Span as RecordedSpan, SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../config.ts';
import type { Log } from './log.ts';
import type { Span, SpanOptions, Tracer } from './span.ts';

/** A context as the header `traceparent` of W3C Trace Context carries it. */
interface TraceContext {
  traceId: string;
  spanId: string;
  flags: number;
}

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined for every text that is not one well-formed context. */
function parseTraceparent(text: string): TraceContext | undefined {
  const [, traceId, spanId, flags] = form.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags: parseInt(flags, 16) };
}

/** The context of a span that is sampled. */
const traceparentOf = ({ traceId, spanId }: { traceId: string; spanId: string }) =>
  `00-${traceId}-${spanId}-01`;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  internal: SpanKind.INTERNAL,
} as const;

/** Spans that wait for their export; further ones are dropped. */
const maxQueueSize = 8_192;
const maxExportBatchSize = 1_024;
const exportEveryMs = 1_000;
/** The end of a process does not wait longer for a collector. */
const stopTimeoutMs = 3_000;
const maxLinks = 32;
const warnEveryMs = 60_000;

/** The only module that loads the SDK of OpenTelemetry. */
export function createTracer(config: TracingConfig, log: Log): Tracer {
  const ids = createIds();
  const { url, headers } = config;
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(attributesOf(config))),
    sampler: samplerOf(config.sampler),
    spanLimits: {
      attributeValueLengthLimit: 256,
      attributeCountLimit: 32,
      linkCountLimit: maxLinks,
    },
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withWarnings(new OTLPTraceExporter({ url, headers: { ...headers } }), log),
        maxQueueSize,
        maxExportBatchSize,
        scheduledDelayMillis: exportEveryMs,
      }),
    ],
  });
  const tracer = provider.getTracer('onward');
  const share = shareOfRoots(config.sampler);

  function start(name: string, options: SpanOptions): Span | undefined {
    const { past, attributes = {}, kind = 'internal' } = options;
    const { context, links } = parentOf(options, config.trustsCallers);
    if (context === ROOT_CONTEXT && Math.random() >= share) return undefined;
    const ended = past && parseTraceparent(past.traceparent);
    if (ended) ids.next(ended.spanId);
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], links, attributes, ...(past && { startTime: past.startedAt }) },
      context,
    );
    return span.isRecording() ? spanOf(span) : undefined;
  }

  return {
    start,
    async stop() {
      const late = new Promise((resolve) => setTimeout(resolve, stopTimeoutMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

const attributesOf = ({ resource, serviceName }: TracingConfig) => ({
  'service.instance.id': randomUUID(),
  ...resource,
  'service.name': serviceName,
});

function spanOf(span: RecordedSpan): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    spanId,
    get traceparent() {
      return traceparentOf({ traceId, spanId });
    },
    set: (attributes) => span.setAttributes(attributes),
    rename: (name) => span.updateName(name),
    end(failure) {
      if (failure !== undefined) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

interface Parent {
  /** The root context, for a span that begins a trace. */
  context: Context;
  links: Link[];
}

const beginning: Parent = { context: ROOT_CONTEXT, links: [] };

/**
 * The parent context and the links of a span. The trace of a caller becomes a link, so that no caller decides what is
 * sampled or which trace a request is part of; the setting for a trusted proxy continues it.
 */
function parentOf({ parent, caller, links = [] }: SpanOptions, trustsCallers: boolean): Parent {
  if (parent === undefined && caller === undefined && links.length === 0) return beginning;
  const own = contextsOf(parent === undefined ? [] : [parent]);
  const called = contextsOf(caller === undefined ? [] : [caller]);
  const [continued] = trustsCallers ? [...own, ...called] : own;
  const linked = [...contextsOf(links.slice(0, maxLinks)), ...(trustsCallers ? [] : called)];
  const context: Context = continued ? trace.setSpanContext(ROOT_CONTEXT, continued) : ROOT_CONTEXT;
  return { context, links: linked.map((link) => ({ context: link })) };
}

function contextsOf(texts: readonly string[]): SpanContext[] {
  return texts.flatMap((text) => {
    const found = parseTraceparent(text);
    if (!found) return [];
    const { traceId, spanId, flags } = found;
    return [{ traceId, spanId, traceFlags: flags & TraceFlags.SAMPLED, isRemote: true }];
  });
}

/** Random ids; `next` chooses the id of the next span. */
function createIds() {
  const random = new RandomIdGenerator();
  let chosen: string | undefined;
  return {
    generateTraceId: () => random.generateTraceId(),
    generateSpanId() {
      const id = chosen ?? random.generateSpanId();
      chosen = undefined;
      return id;
    },
    next(id: string) {
      chosen = id;
    },
  };
}

/**
 * The share of traces that begin here. Chance decides before a span is made, so that one that is left
 * out costs nothing; later spans follow the decision for their parent.
 */
const shareOfRoots = ({ name, ratio }: TracingConfig['sampler']) =>
  name === 'parentbased_traceidratio' ? ratio : 1;

function samplerOf({ name, ratio }: TracingConfig['sampler']): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_always_on':
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
}

/** Logs exports that fail. Their errors can quote the address, so that they are left out. */
function withWarnings(exporter: SpanExporter, log: Log): SpanExporter {
  let warnAtMs = -Infinity;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const code: number = result.code;
        if (code !== 0 && performance.now() > warnAtMs) {
          warnAtMs = performance.now() + warnEveryMs;
          log.warn({ spans: spans.length }, 'spans could not be exported and are dropped');
        }
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
