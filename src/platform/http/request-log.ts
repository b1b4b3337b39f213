import { randomUUID } from 'node:crypto';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import { isUnavailable } from '../database/failures.ts';
import { isUuid, partnerKeyOf } from '../schema/fields.ts';
import type { Log } from '../observability/log.ts';
import { contactIdsIn, contactsIn, contactsInPath, contactsInQuery } from './contact-ids.ts';
import type { EndpointFacts } from './endpoint-facts.ts';
import type { Problem } from './errors.ts';
import type { StoredAnswer } from './idempotency.ts';
import { requestLogDropped, requestLogLeftOut } from './metrics.ts';
import { lengthOf, maxShown, nameShown, redactor, textRedactor } from './redact.ts';
import type { Redactor } from './redact.ts';
import type { Trace } from './trace.ts';
import { toTimestamp } from '../time/rules.ts';
import { cutText } from '../cut-text.ts';

/** The body of a request, as far as it was read. */
export interface Received {
  bytes: number;
  json?: unknown;
}

/** A request that has been answered, reduced to what its row needs. */
export interface LoggedRequest {
  endpoint: EndpointFacts;
  params: Readonly<Record<string, string>>;
  search: URLSearchParams;
  trace: Trace;
  method: string;
  principal: Principal;
  atMs: number;
  durationMs: number;
  status: number;
  /** Errors of the response; empty after a success. */
  problems: readonly Problem[];
  received: Received | undefined;
  answer: StoredAnswer | undefined;
}

/** Log of the requests of each team, written in batches after the responses. */
export interface RequestLog {
  /** Queues a request, and returns immediately. */
  record(request: LoggedRequest): void;
  /** Writes what waits. */
  stop(): Promise<void>;
}

const pauseMs = 500;
/**
 * Successes that are logged in each such pause, 200 a second and process. Logging each of thousands
 * a second would cost a third of the time of the responses, and they are rarely read. Rejected
 * requests are always logged.
 */
const maxSuccessesPerSecond = 100;
const batchSize = 250;
/**
 * Limit of the queue while Postgres is slow or unavailable; beyond it the oldest are dropped and
 * counted.
 */
const maxWaiting = 2_000;
const maxWaitingBytes = 16_000_000;
const maxQuery = 1_000;
const maxParsed = 64_000;

export const noRequestLog: RequestLog = {
  record: () => undefined,
  stop: () => Promise.resolve(),
};

export function createRequestLog(
  database: Database,
  log: Log,
  { maxSuccesses = maxSuccessesPerSecond } = {},
): RequestLog {
  const waiting: LoggedRequest[] = [];
  let successes = 0;
  let waitingBytes = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  /** A request that cannot be shown is a bug, and no reason to lose others. */
  function rowsOf(request: LoggedRequest) {
    try {
      return [rowOf(request)];
    } catch (error) {
      log.error({ err: error, operation: request.endpoint.id }, 'a request cannot be shown');
      return [];
    }
  }

  function drop(): void {
    while (waiting.length > maxWaiting || waitingBytes > maxWaitingBytes) {
      const oldest = waiting.shift();
      if (!oldest) return;
      waitingBytes -= bytesOf(oldest);
      requestLogDropped.inc();
    }
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const requests = waiting.splice(0, batchSize);
      for (const request of requests) waitingBytes -= bytesOf(request);
      try {
        const rows = JSON.stringify(requests.flatMap(rowsOf));
        await database.transact((sql) => insertRequests(sql, rows));
      } catch (error) {
        log.warn({ err: error, rows: requests.length }, 'requests could not be logged');
        if (!isUnavailable(error)) {
          requestLogDropped.inc(requests.length);
          continue;
        }
        waiting.unshift(...requests);
        for (const request of requests) waitingBytes += bytesOf(request);
        drop();
        return;
      }
    }
  }
  /** One writer at a time; the next comes after a pause, so that rows gather. */
  function schedule(): void {
    timer ??= setTimeout(() => {
      successes = 0;
      writing = write().finally(() => {
        timer = undefined;
        writing = undefined;
        if (waiting.length > 0 && !isStopped) schedule();
      });
    }, pauseMs).unref();
  }

  return {
    record(request) {
      if (request.problems.length === 0 && (successes += 1) > maxSuccesses) {
        requestLogLeftOut.inc();
        return;
      }
      waiting.push(request);
      waitingBytes += bytesOf(request);
      drop();
      schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}

// Loss of the last half second in a crash is no loss worth a wait for the disk.
async function insertRequests(sql: Sql, rows: string): Promise<void> {
  await sql`set local synchronous_commit = off`;
  await sql`
    insert into request_log /* team_id is in the rows */
    select * from jsonb_populate_recordset(null::request_log, ${rows}::text::jsonb)`;
}

const bytesOf = ({ received, answer }: LoggedRequest) =>
  (received?.bytes ?? 0) + (answer?.body?.length ?? 0);

function rowOf(request: LoggedRequest) {
  const { endpoint, principal, trace, atMs, durationMs, status, problems, received, answer } =
    request;
  const occurredAt = toTimestamp(atMs);
  const show = redactorsOf(endpoint);
  const answered = shownBy(answer);
  const stored = {
    path: pathShown(request),
    query: queryShown(request.search, show.query),
    request_body: received?.json === undefined ? null : show.request(received.json),
    response_body: responseShown(problems, answered, show),
  };
  return {
    day: occurredAt.slice(0, 10),
    id: randomUUID(),
    team_id: principal.teamId,
    client_id: principal.clientId,
    request_id: trace.requestId,
    server_request_id: trace.serverRequestId,
    source_ip: trace.sourceIp,
    user_agent: trace.userAgent,
    occurred_at: occurredAt,
    method: request.method,
    operation: endpoint.id,
    ...stored,
    status,
    error_codes: problems.map(({ code }) => code),
    duration_ms: Math.round(durationMs),
    request_bytes: received?.bytes ?? 0,
    response_bytes: Buffer.byteLength(answer?.body ?? ''),
    contact_ids: contactsIn(Object.values(stored), [
      ...contactsInPath(endpoint.path, request.params),
      ...contactsInQuery(request.search),
      ...contactIdsIn(received?.json, 'named'),
      ...contactIdsIn(answered, 'named'),
    ]),
  };
}

interface Redactors {
  request: Redactor;
  response: Redactor;
  /** By the name of the parameter. */
  query: ReadonlyMap<string, (text: string) => string>;
}
const redactors = new WeakMap<EndpointFacts, Redactors>();

function redactorsOf(endpoint: EndpointFacts): Redactors {
  const known = redactors.get(endpoint);
  if (known) return known;
  const { body, response, query, list } = endpoint;
  const isPersonal = isAboutPersons(endpoint);
  const parameterOf = (name: string, schema: unknown) =>
    [name, textRedactor(schema, isPersonal && name.startsWith('filter['))] as const;
  const made = {
    request: redactor(body, { isPersonal }),
    response: redactor(response, { isPersonal }),
    query: new Map([
      ...Object.entries(query?.properties ?? {}).map(([name, one]) => parameterOf(name, one)),
      ...(list?.parameters ?? []).map(({ name, schema }) => parameterOf(name, schema)),
    ]),
  };
  redactors.set(endpoint, made);
  return made;
}

/** Resources whose calls are about the configuration of a team, and not about persons. */
const configured = new Set([
  ...['templates', 'landing_pages', 'pages', 'content_blocks', 'messages', 'objectives', 'topics'],
  ...['webhooks', 'incoming-webhooks', 'sftp', 'sending_providers', 'sending_domains', 'widgets'],
  ...['team', 'custom_event_types', 'exports', 'insights', 'capabilities', 'requests'],
]);

/** A resource that is not in the list is about persons, and its values are hidden. */
function isAboutPersons({ scope }: EndpointFacts): boolean {
  const [, resource = ''] = scope.split(':');
  return !configured.has(resource);
}

/**
 * The path with its ids; other parameters, such as a partner's own key, are shown by their length.
 */
function pathShown({ endpoint, params }: LoggedRequest): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { [name]: value = '' } = params;
    const key = partnerKeyOf(value);
    if (key !== undefined) return `unique_id:${lengthOf(key)}`;
    return isUuid(value) || /^\d{1,9}$/.test(value) ? value : lengthOf(value);
  });
}

function queryShown(search: URLSearchParams, known: Redactors['query']): string | null {
  const parts = [...search].map(([name, value]) => {
    const show = known.get(name);
    return show ? `${name}=${show(value)}` : `${nameShown(name)}=${lengthOf(value)}`;
  });
  return parts.length > 0 ? cutText(parts.join('&'), maxQuery) : null;
}

/** Codes and places of the errors: the content of a detail, in machine-readable form. */
function problemsShown(problems: readonly Problem[]): string {
  const errors = problems.map(({ code, meta }) => {
    const { pointer, parameter, rule } = { ...meta };
    return {
      code,
      ...(typeof pointer === 'string' && {
        pointer: pointer.split('/').map(segmentShown).join('/'),
      }),
      ...(typeof parameter === 'string' && { parameter: nameShown(parameter) }),
      ...(typeof rule === 'string' && { rule }),
    };
  });
  return cutText(JSON.stringify({ errors }), maxShown);
}

const segmentShown = (segment: string) => (/^\d*$/.test(segment) ? segment : nameShown(segment));

function responseShown(problems: readonly Problem[], answered: unknown, show: Redactors) {
  if (problems.length > 0) return problemsShown(problems);
  return answered === undefined ? null : show.response(answered);
}

/** A repeated response is stored as text only; one that is too long to parse is not shown. */
function shownBy(answer: StoredAnswer | undefined): unknown {
  if (!answer?.body) return undefined;
  if (answer.shown !== undefined) return answer.shown;
  return answer.body.length > maxParsed ? undefined : JSON.parse(answer.body);
}
