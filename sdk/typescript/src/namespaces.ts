import type { Paged } from './generated/schemas.ts';
import { trust } from './json.ts';
import { operations } from './operations.ts';
import type { Operation } from './operations.ts';
import { promiseData, promiseList } from './promises.ts';
import type { Call, Received, Transport } from './transport.ts';
import type { Answer, ApiPromise, ListPromise, RequestOptions } from './types.ts';

type Method = (...args: unknown[]) => ApiPromise<unknown>;

/** Every operation as a method of its namespace; `Resources` is its type. */
export function createNamespaces(transport: Transport): Record<string, Record<string, Method>> {
  const namespaces: Record<string, Record<string, Method>> = {};
  for (const operation of operations) {
    const { namespace, method } = operation;
    namespaces[namespace] = {
      ...namespaces[namespace],
      [method]: (...args) => callOperation(transport, readArguments(operation, args)),
    };
  }
  return namespaces;
}

/** `(id, body, options)`, or `(id, query, options)`, as the operation has them. */
function readArguments(operation: Operation, args: readonly unknown[]): Call {
  const { pathParameters, body, hasQuery } = operation;
  const rest = [...args];
  const path = rest.splice(0, pathParameters.length).map((value) => textOf(value));
  const call: Call = { operation, path };
  if (body !== undefined) call.body = rest.shift();
  if (hasQuery) call.query = objectOf(rest.shift());
  return { ...call, options: objectOf(rest.shift()) };
}

const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : asText(value));
const asText = (value: unknown) => (typeof value === 'string' ? value : '');

function objectOf(value: unknown): RequestOptions {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null) return value;
  throw new TypeError(`An object is expected, not a ${typeof value}.`);
}

/** Sends a call; a list can be iterated. */
export function callOperation(
  transport: Transport,
  call: Call,
): ApiPromise<unknown> | ListPromise<Paged<unknown>> {
  const { operation, query = {} } = call;
  if (!operation.isList) return promiseData(transport(call).then(answerOf(operation)));
  const send = async (more: object) => pageOf(await transport({ ...call, query: more }));
  const page: object =
    'page' in query && typeof query.page === 'object' && query.page ? query.page : {};
  // A list that began before an item goes on towards the first one.
  const goesBack = 'before' in page && page.before !== undefined;
  return promiseList(send(query), ({ next_cursor, prev_cursor }) => {
    const cursor = goesBack ? prev_cursor : next_cursor;
    if (cursor === null) return undefined;
    return send({ ...query, page: { ...page, [goesBack ? 'before' : 'after']: cursor } });
  });
}

function answerOf({ answersFile }: Operation): (received: Received) => Answer<unknown> {
  return ({ response, data }) => ({
    data: answersFile ? response : data,
    response,
    requestId: requestIdOf(response),
  });
}

function pageOf({ response, data }: Received): Answer<Paged<unknown>> {
  trust<Paged<unknown>>(data);
  return { data, response, requestId: requestIdOf(response) };
}

const requestIdOf = (response: Response) => response.headers.get('x-request-id') ?? undefined;
