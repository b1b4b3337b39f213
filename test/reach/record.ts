import { appendFileSync } from 'node:fs';
import type { Database } from '../../src/platform/database/client.ts';
import { findEventType } from '../../src/platform/events/registered-types.ts';
import type { Answered } from '../../src/platform/http/services.ts';
import type { EndpointFacts } from '../../src/platform/http/endpoint-facts.ts';
import { eventName, placeOfEvent, placesOf, placesOfOperations } from './declared.ts';
import { placesOfPayloads } from './declared.ts';
import type { PlacesOfEndpoint } from './declared.ts';
import { isRecord, see } from './places.ts';
import { recordFile } from './files.ts';

/** Rows of each kind that are read when a test file ends. */
const maxRows = 5_000;

const seen = new Set<string>();

/** Writes a name down when this test file meets it for the first time. */
function note(name: string): void {
  if (seen.has(name)) return;
  seen.add(name);
  appendFileSync(recordFile, `${name}\n`);
}

/** Notes an error that the HTTP parser answers with, before there is a request. */
export const noteCode = (code: string) => {
  note(`error code: ${code}`);
};

const known = new WeakMap<EndpointFacts, PlacesOfEndpoint>();

function knownPlaces(endpoint: EndpointFacts): PlacesOfEndpoint {
  const places = known.get(endpoint) ?? placesOf(endpoint);
  known.set(endpoint, places);
  return places;
}

let operations: ReturnType<typeof placesOfOperations> | undefined;

/** Records the values in a request and in its response. */
export function noteAnswer({ endpoint, params, search, body, status, shown, problems }: Answered) {
  for (const { code } of problems) noteCode(code);
  if (!endpoint || problems.length > 0) return;
  const places = knownPlaces(endpoint);
  see(places.body, body, note);
  see(places.query, valuesOf(search), note);
  see(status === 202 ? (places.accepted ?? places.response) : places.response, shown, note);
  noteItems(params['operation_kind'] ?? kindOfExecution(params['id'], shown), body, shown);
}

/** Kinds of the executions that answers have shown; their results do not name them. */
const kinds = new Map<string, string>();

function kindOfExecution(id: string | undefined, shown: unknown): string | undefined {
  if (!isRecord(shown) || id === undefined) return undefined;
  if (shown['type'] === 'operation_execution')
    kinds.set(String(shown['id']), String(shown['operation_kind']));
  return kinds.get(id);
}

/** Lists in filters, as `filter[status][in]`, are separated by commas. */
const valuesOf = (search: URLSearchParams) =>
  Object.fromEntries(
    [...search].map(([name, value]) => [name, /\[n?in\]$/.test(name) ? value.split(',') : value]),
  );

function noteItems(kind: string | undefined, json: unknown, shown: unknown): void {
  const asked = isRecord(json) ? json : {};
  operations ??= placesOfOperations();
  const places = operations.get(kind ?? String(asked['operation']));
  see(places?.input, asked['input'], note);
  see(places && { each: places.input ?? {} }, asked['items'], note);
  if (!isRecord(shown)) return;
  for (const results of [shown['results'], shown['data']]) {
    if (!Array.isArray(results)) continue;
    for (const result of results) if (isRecord(result)) see(places?.output, result['output'], note);
  }
}

/** Notes the events and callbacks that a test file leaves in its database. */
export async function noteRows(database: Database): Promise<void> {
  const { events, callbacks } = await database.read(async (sql) => ({
    events: await sql<{ type: string; body: string }[]>`
      select type, body from webhook_events /* of every team */ limit ${maxRows}`,
    callbacks: await sql<{ receiver_kind: string; payload: unknown }[]>`
      select receiver_kind, payload from inbound_deliveries /* of every team */
      where payload is not null and error is null limit ${maxRows}`,
  }));
  for (const { type, body } of events) {
    const known = findEventType(type);
    note(eventName(known?.name ?? type));
    const event: unknown = JSON.parse(body);
    if (known && isRecord(event)) see(placeOfEvent(known), event['data'], note);
  }
  const payloads = placesOfPayloads();
  for (const { receiver_kind, payload } of callbacks)
    see(payloads.get(receiver_kind), payload, note);
}
