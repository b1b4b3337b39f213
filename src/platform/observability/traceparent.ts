/** A context as the header `traceparent` of W3C Trace Context carries it. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  flags: number;
}

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined for every text that is not one well-formed context. */
export function parseTraceparent(text: string): TraceContext | undefined {
  const [, traceId, spanId, flags] = form.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags: parseInt(flags, 16) };
}

/** The context of a span that is sampled. */
export const traceparentOf = ({ traceId, spanId }: { traceId: string; spanId: string }) =>
  `00-${traceId}-${spanId}-01`;
