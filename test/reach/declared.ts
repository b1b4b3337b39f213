import { endpoints } from '../../src/app/endpoints.ts';
import { eventTypes } from '../../src/app/event-catalog.ts';
import type { EventType } from '../../src/platform/events/event-type.ts';
import { errorCatalog } from '../../src/platform/http/error-catalog.ts';
import type { EndpointFacts } from '../../src/platform/http/endpoint-facts.ts';
import { receivers } from '../../src/inbound/receivers.ts';
import { operations } from '../../src/operations/catalog.ts';
import { listNames, placeOf } from './places.ts';
import type { Naming, Place } from './places.ts';

/** In answers and events: by component or operation. */
const answered: Naming = (path, value) => `answer: ${path} = ${String(value)}`;
/**
 * In requests: by the field alone. A create, a patch, an operation and a filter take the same
 * values, and names by operation would list each value several times.
 */
const requested: Naming = (path, value) =>
  `request: ${path.slice(path.lastIndexOf('.') + 1)} = ${String(value)}`;

export const eventName = (type: string) => `event type: ${type}`;

export interface PlacesOfEndpoint {
  body: Place | undefined;
  query: Place | undefined;
  response: Place | undefined;
  accepted: Place | undefined;
}

export function placesOf(endpoint: EndpointFacts): PlacesOfEndpoint {
  const { id, body, query, list, response, accepted } = endpoint;
  return {
    body: placeOf(body, id, requested),
    query: list ? placeOfFilters(list.parameters) : placeOf(query, id, requested),
    response: placeOf(response, id, answered),
    accepted: placeOf(accepted, id, answered),
  };
}

/** Values of `filter[<field>]` and `filter[<field>][<operator>]`, by the field. */
function placeOfFilters(
  parameters: readonly { name: string; schema: unknown }[],
): Place | undefined {
  const fields = new Map<string, Place>();
  for (const { name, schema } of parameters) {
    const [, field] = /^filter\[([^\]]+)\]/.exec(name) ?? [];
    const place = field === undefined ? undefined : placeOf(schema, field, requested);
    if (place) fields.set(name, place);
  }
  return fields.size === 0 ? undefined : { fields };
}

export const placeOfEvent = ({ data }: EventType) => placeOf(data, 'event', answered);

export const placesOfOperations = () =>
  new Map(
    operations.map(({ kind, input, output }) => [
      kind,
      { input: placeOf(input, kind, requested), output: placeOf(output, kind, answered) },
    ]),
  );

/** Normalized payloads of callbacks, by the kind of receiver. */
export const placesOfPayloads = () =>
  new Map<string, Place | undefined>(
    Object.values(receivers).map(({ kind, payload }) => [kind, placeOf(payload, kind, callback)]),
  );

const callback: Naming = (path, value) => `callback: ${path} = ${String(value)}`;

/** Everything that tests have to reach, sorted. */
export function declaredNames(): string[] {
  const names = new Set<string>();
  const add = (name: string) => names.add(name);
  for (const code of Object.keys(errorCatalog)) add(`error code: ${code}`);
  for (const [name, type] of Object.entries<EventType>(eventTypes)) {
    add(eventName(name));
    listNames(placeOfEvent(type), add);
  }
  const asked = new Set<string>();
  const ask = (name: string) => asked.add(name);
  for (const endpoint of endpoints) {
    const { body, query, response, accepted } = placesOf(endpoint);
    for (const place of [response, accepted]) listNames(place, add);
    // Callbacks have their own names.
    if (!endpoint.receive) for (const place of [body, query]) listNames(place, ask);
  }
  for (const { input, output } of placesOfOperations().values()) {
    listNames(input, ask);
    listNames(output, add);
  }
  for (const place of placesOfPayloads().values()) listNames(place, add);
  // A field that answers show is reached there.
  const shown = new Set([...names].map(withoutPath));
  for (const name of asked) {
    if (!shown.has(name.slice('request: '.length))) add(name);
  }
  return [...names].sort();
}

/** A name from its field on; values have dots too. */
const withoutPath = (name: string) => name.slice(name.lastIndexOf('.', name.indexOf(' = ')) + 1);
