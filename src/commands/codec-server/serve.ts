import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { readBody } from '../../platform/http/body.ts';
import { createBuckets } from '../../platform/http/buckets.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Log } from '../../platform/observability/log.ts';
import { PayloadJson, fromJson, toJson } from '../../platform/temporal/payload-codec.ts';
import { cutText } from '../../platform/cut-text.ts';

/** A page of events of the Temporal UI is at most 4 MB, of which base64 makes a third more. */
export const maxBodyBytes = 8 * 1_048_576;
const maxPayloads = 10_000;
const maxBodyMs = 30_000;
/** Requests of one address: the CLI makes one for each payload of a history. */
const rate = { burst: 5_000, perSecond: 500 };
/** Refusals of one address for a wrong token. */
const guesses = { burst: 10, perSecond: 0.2 };

const Body = Type.Object({
  // The JSON of protocol buffers leaves out an empty list: the `temporal` program sends {}.
  payloads: Type.Optional(Type.Array(PayloadJson, { maxItems: maxPayloads })),
});
type Body = Static<typeof Body>;
const compiled = Compile(Body);

export interface CodecServerOptions {
  codec: PayloadCodec;
  /** Required from every request; only a server on a loopback address may do without. */
  token: string | undefined;
  /** Origins of the Temporal UI. Requests of pages of other origins are refused. */
  origins: readonly string[];
  log: Log;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Answers the protocol by which the Temporal UI and CLI have payloads encrypted and decrypted. */
export function createCodecHandler({ codec, token, origins, log }: CodecServerOptions) {
  const requests = createBuckets(rate);
  const wrong = createBuckets(guesses);

  function admit(request: IncomingMessage, address: string): void {
    const { origin } = request.headers;
    if (origin !== undefined && !origins.includes(origin)) {
      throw new Refusal(403, 'The origin of the page is not allowed; see --origin.');
    }
    if (requests.waitMs(address) > 0 || wrong.waitMs(address) > 0) {
      throw new Refusal(429, 'Too many requests.');
    }
    requests.take(address);
    if (request.method === 'OPTIONS' || token === undefined) return;
    if (!isSameText(request.headers.authorization ?? '', `Bearer ${token}`)) {
      wrong.take(address);
      throw new Refusal(401, 'The request needs the header Authorization with the bearer token.');
    }
  }

  async function answer(request: IncomingMessage): Promise<Required<Body> | undefined> {
    const path = (request.url ?? '').split('?', 1)[0];
    const work = path === '/decode' ? decode : path === '/encode' ? encode : undefined;
    if (!work) throw new Refusal(404, 'There are POST /encode and POST /decode.');
    if (request.method === 'OPTIONS') return undefined;
    if (request.method !== 'POST') throw new Refusal(405, 'Use POST.');
    const { payloads = [] } = await readJson(request);
    return { payloads: (await work(readPayloads(payloads))).map(toJson) };
  }

  const encode = (payloads: Payload[]) => codec.encode(payloads);
  /** The reason stays in the server: it would say which part of a forgery is right. */
  const decode = (payloads: Payload[]) =>
    codec.decode(payloads).catch(() => {
      throw new Refusal(
        400,
        'A payload was changed, or its key is not in the list temporal_codec.',
      );
    });

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = request.socket.remoteAddress ?? '';
    const startedAtMs = performance.now();
    let status = 200;
    let count = 0;
    try {
      admit(request, address);
      const body = await answer(request);
      count = body?.payloads.length ?? 0;
      if (!body) status = 204;
      send(request, response, status, body);
    } catch (error) {
      const isExpected = error instanceof Refusal || error instanceof HttpError;
      status = isExpected ? error.status : 500;
      const message = isExpected ? error.message : 'The server has failed.';
      if (status === 500) log.error({ err: error }, 'a request fails');
      send(request, response, status, { message });
    }
    const ms = Math.round(performance.now() - startedAtMs);
    log.info(
      { method: request.method, path: cutText(request.url ?? '', 100), status, count, ms, address },
      'request',
    );
  };

  function send(request: IncomingMessage, response: ServerResponse, status: number, body?: object) {
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && origins.includes(origin);
    response.writeHead(status, {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Origin',
      ...(isAllowed && {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'POST, OPTIONS',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Namespace',
        'Access-Control-Max-Age': '600',
      }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(status === 405 && { Allow: 'POST, OPTIONS' }),
      ...(body && { 'Content-Type': 'application/json; charset=utf-8' }),
    });
    response.end(body && JSON.stringify(body));
  }
}

/** Compares digests, since the time of a comparison would show how much is right. */
function isSameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function readPayloads(payloads: NonNullable<Body['payloads']>): Payload[] {
  try {
    return payloads.map(fromJson);
  } catch {
    throw new Refusal(400, 'The metadata and the data of a payload must be base64.');
  }
}

async function readJson(request: IncomingMessage): Promise<Body> {
  const text = (await readBody(request, maxBodyBytes, maxBodyMs)).toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
  if (!compiled.Check(value)) {
    throw new Refusal(400, 'The body must be {"payloads": [{"metadata", "data"}]}.');
  }
  return value;
}
