import type { Sql } from '../../platform/database/sql.ts';
import type { Span } from '../../platform/observability/span.ts';
import {
  HttpError,
  ProblemList,
  fail,
  failAll,
  withPointerPrefix,
} from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { createYielding } from '../../platform/http/event-loop.ts';
import { interpretedProblems } from '../../platform/http/interpreted-schema.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { findReferred } from '../../contacts/lookup/contact-reference.ts';
import type { Referred } from '../../contacts/lookup/contact-reference.ts';
import { findDataSchemas } from '../custom-event-types/queries.ts';
import { recordEngagement, traceEvents } from '../engagement-events/record.ts';
import type { EventToRecord } from '../engagement-events/record.ts';
import { receiptOf } from '../engagement-events/report.ts';
import { countObjects, sizeProblems, timeProblems } from '../engagement-events/rules.ts';
import { maxDataObjects, maxPublished } from './event.ts';
import type { SentEvent } from './event.ts';

/** Number of events up to which a request may share a transaction with others. */
export const smallBatchSize = 10;

/**
 * Records the events of requests, those of one request all or none; they are published where they
 * are recorded. Returns for each request its receipt, or the problems of its events.
 */
export async function publishEvents(
  sql: Sql,
  teamId: string,
  requests: readonly (readonly SentEvent[])[],
  spans: readonly (Span | undefined)[],
) {
  const checked = await checkRequests(sql, teamId, requests);
  const recorded = await recordEngagement(
    sql,
    teamId,
    checked.flatMap((request, at) =>
      request instanceof HttpError ? [] : traceEvents(sql, request, spans[at]),
    ),
  );
  return checked.map((request) =>
    request instanceof HttpError ? request : receiptOf(recorded.splice(0, request.length)),
  );
}

/** The events of each request as they are recorded, or the problems of all of them. */
async function checkRequests(
  sql: Sql,
  teamId: string,
  requests: readonly (readonly SentEvent[])[],
): Promise<(EventToRecord[] | HttpError)[]> {
  const nowMs = Date.now();
  const events = requests.filter(({ length }) => length <= maxPublished).flat();
  const findProblems = await dataCheckers(sql, teamId, events);
  const contacts = await contactsOf(sql, teamId, events);
  const yieldNow = createYielding();
  const checked: (EventToRecord[] | HttpError)[] = [];
  for (const request of requests) {
    const refusal = refusalOf(request);
    if (refusal) {
      checked.push(refusal);
      continue;
    }
    const problems = new ProblemList();
    const good: EventToRecord[] = [];
    for (const [index, event] of request.entries()) {
      // After the last problem that an answer shows, nothing is checked.
      if (problems.isFull) break;
      const referred = contacts.get(event);
      const found = [
        ...timeProblems(event.occurred_at, nowMs),
        ...(referred && 'problems' in referred ? referred.problems : []),
        ...findProblems(event),
      ];
      problems.add(...found.map((one) => withPointerPrefix(one, `/events/${String(index)}`)));
      good.push(toRecord(event, referred, nowMs));
      await yieldNow();
    }
    checked.push(problems.all.length > 0 ? failAll(problems.all) : good);
  }
  return checked;
}

/** A function that lists the problems of the type and the data of these events. */
async function dataCheckers(
  sql: Sql,
  teamId: string,
  events: readonly SentEvent[],
): Promise<(event: SentEvent) => readonly Problem[]> {
  const names = [...new Set(events.map(({ type }) => type))];
  const schemas = await findDataSchemas(sql, teamId, names);
  const checkers = new Map(
    [...schemas].map(([name, schema]) => [name, interpretedProblems(schema)]),
  );
  return ({ type, data = {} }) => {
    const check = checkers.get(type);
    if (!check) return [unknownType()];
    const oversized = sizeProblems('data', data);
    if (oversized.length > 0) return oversized;
    return check(data).map((problem) => withPointerPrefix(problem, '/data'));
  };
}

/** The contacts that events name. */
async function contactsOf(
  sql: Sql,
  teamId: string,
  events: readonly SentEvent[],
): Promise<ReadonlyMap<SentEvent, Referred>> {
  const about = events.filter(
    ({ contact_id, contact_unique_id }) => (contact_id ?? contact_unique_id) !== undefined,
  );
  if (about.length === 0) return new Map();
  const referred = await findReferred(sql, teamId, about, { isLocked: false });
  return new Map(
    about.flatMap((event, at) => {
      const found = referred[at];
      return found ? [[event, found]] : [];
    }),
  );
}

function toRecord(
  { unique_id, type, occurred_at, data = {} }: SentEvent,
  referred: Referred | undefined,
  nowMs: number,
): EventToRecord {
  const at = occurred_at === undefined ? nowMs : Date.parse(occurred_at.toUpperCase());
  return {
    kind: type,
    unique_id,
    occurred_at: toTimestamp(at),
    properties: data,
    source: 'api',
    is_machine: false,
    ...(referred && 'contact' in referred && { contact_id: referred.contact.id }),
  };
}

function unknownType(): Problem {
  return {
    code: 'invalid_event_type',
    detail: 'The team has no custom event type of this name.',
    meta: { pointer: '/type' },
  };
}

/** The error of a request that is too large to be checked. */
function refusalOf(request: readonly SentEvent[]): HttpError | undefined {
  if (request.length > maxPublished) {
    return fail('too_many_items', {
      detail: `A request takes at most ${String(maxPublished)} events.`,
      meta: { pointer: '/events', max: maxPublished },
    });
  }
  const objects = request.reduce((sum, { data }) => sum + countObjects(data), 0);
  if (objects <= maxDataObjects) return undefined;
  return fail('too_many_items', {
    detail: `The data of a request has at most ${String(maxDataObjects)} objects and lists.`,
    meta: { pointer: '/events', max: maxDataObjects },
  });
}
