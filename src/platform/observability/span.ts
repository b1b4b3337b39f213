/** Values of a span; those that are undefined are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'internal';
  attributes?: SpanAttributes;
  /** The context of the span that this one continues; without it the span begins a trace. */
  parent?: string;
  /** The header `traceparent` of a caller, which is not trusted unless a setting says so. */
  caller?: string | undefined;
  /** Contexts of other traces that the work belongs to as well. */
  links?: readonly string[];
  /** For work that has ended: its own context, which its children know, and its start. */
  past?: { traceparent: string; startedAt: Date };
}

/** A span that is recorded and exported. Spans that the sampler leaves out do not exist. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Its context, for rows, headers and children. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** Ends the span; with the code of a failure, where the work has failed. */
  end(failure?: string): void;
}

export interface Tracer {
  start(name: string, options: SpanOptions): Span | undefined;
  /** Exports what is left. */
  stop(): Promise<void>;
}
