import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'protobufjs';
import { eventually } from '../../support/eventually.ts';
import { takePort } from '../../support/ports.ts';

/** The part of opentelemetry/proto/trace/v1/trace.proto that the tests read. */
const { root } = parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    string trace_state = 3;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    repeated KeyValue attributes = 9;
    repeated Link links = 13;
    Status status = 15;
  }
  message Link { bytes trace_id = 1; bytes span_id = 2; repeated KeyValue attributes = 4; }
  message Status { int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
`);
const exportRequest = root.lookupType('Request');

export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the first of a trace. */
  parentId: string;
  name: string;
  kind: number;
  traceState: string;
  isError: boolean;
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Headers of the last export. */
  headers: () => IncomingHttpHeaders;
  /** All bytes that were received, as text. */
  text: () => string;
  /** The span of the request with this id. */
  request(requestId: string): Promise<CollectedSpan>;
  /** The spans of a trace, once one of them has each name. */
  trace(traceId: string, names: readonly string[]): Promise<CollectedSpan[]>;
  stop(): Promise<void>;
}

/** A collector that takes OTLP over HTTP with protobuf, as the standard describes it. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const received: Buffer[] = [];
  let headers: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isExport = request.method === 'POST' && request.url === '/v1/traces';
      if (isExport) {
        const body = Buffer.concat(chunks);
        received.push(body);
        ({ headers } = request);
        spans.push(...spansIn(body));
      }
      response.writeHead(isExport ? 200 : 404, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  const port = await takePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String(port)}`,
    spans,
    headers: () => headers,
    text: () => Buffer.concat(received).toString('latin1'),
    async request(requestId) {
      const isIt = ({ attributes }: CollectedSpan) => attributes['onward.request_id'] === requestId;
      const [span] = await eventually(
        async () => spans.filter(isIt),
        ({ length }) => length === 1,
      );
      if (!span) throw new Error('the condition above is wrong');
      return span;
    },
    trace: (traceId, names) =>
      eventually(
        async () => spans.filter((span) => span.traceId === traceId),
        (found) => names.every((name) => found.some((span) => span.name === name)),
      ),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

function spansIn(body: Buffer): CollectedSpan[] {
  const options = { bytes: String, longs: Number, defaults: true, arrays: true };
  const { resourceSpans }: any = exportRequest.toObject(exportRequest.decode(body), options);
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any): CollectedSpan => {
        const { name, kind, traceState, status, links } = span;
        return {
          service: String(attributesOf(resource.attributes)['service.name']),
          ...idsOf(span),
          parentId: hexOf(span.parentSpanId),
          ...{ name, kind, traceState },
          isError: status?.code === 2,
          attributes: attributesOf(span.attributes),
          links: links.map(idsOf),
        };
      }),
    ),
  );
}

const hexOf = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
const idsOf = ({ traceId, spanId }: { traceId: string; spanId: string }) => ({
  traceId: hexOf(traceId),
  spanId: hexOf(spanId),
});

function attributesOf(pairs: any[]): Record<string, string | number | boolean> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}
