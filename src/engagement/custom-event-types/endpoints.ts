import { schemaProblems } from '../../platform/http/data-schema.ts';
import { failAll } from '../../platform/http/errors.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import type { DataSchema } from '../../platform/schema/data-schema.ts';
import { maxCustomEventTypes } from './custom-event-type.ts';
import { customEventTypes } from './queries.ts';

const standard = standardEndpoints(customEventTypes, {
  tag: 'Custom events',
  path: '/v2/partner/custom-event-types',
  scope: 'partner:custom_event_types',
});

export const listCustomEventTypes = standard.list({
  summary: 'List custom event types',
  description:
    'Returns the event types that the team has defined, with their schemas. Events of such a ' +
    'type are published with the operation publishEvents.',
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    updated_at: { type: 'timestamp', filter: true, sort: true },
    name: { type: 'text', filter: true, sort: true },
  },
  defaultSort: '-inserted_at',
});

export const createCustomEventType = standard.create({
  summary: 'Define an event type of the team',
  description:
    'Defines an event type of the team, whose name begins with "custom." and cannot be changed ' +
    'later. The schema is the part of JSON Schema that the field describes; without one the data ' +
    'may be any object. A team has at most 200 event types. Publish events with the operation ' +
    'publishEvents next, and subscribe to the name by a webhook subscription.',
  quota: maxCustomEventTypes,
  handle({ sql, teamId, body: { schema = { type: 'object' }, ...body } }) {
    checkSchema(schema);
    return customEventTypes.insert(sql, teamId, { ...body, schema });
  },
});

export const getCustomEventType = standard.get({
  summary: 'Get a custom event type',
  description:
    'Returns one event type of the team with its schema. The data of a published event must ' +
    'fit the schema. The name is fixed.',
});

export const updateCustomEventType = standard.update({
  summary: 'Update the description or the schema of a custom event type',
  description:
    'Changes the fields that the body names. The name is fixed. A new schema holds for events ' +
    'that are published from then on; recorded events stay as they are.',
  check({ body: { schema } }) {
    if (schema !== undefined) checkSchema(schema);
  },
});

export const deleteCustomEventType = standard.delete({
  summary: 'Delete a custom event type; its events are kept',
  description:
    'Deletes an event type, so that no further event of it is accepted. Recorded events, their ' +
    'deliveries, and the subscriptions, cohorts and triggers that name the type stay. The name ' +
    'can be defined again.',
});

export const customEventTypeEndpoints = [
  listCustomEventTypes,
  createCustomEventType,
  getCustomEventType,
  updateCustomEventType,
  deleteCustomEventType,
];

/** Throws 422 with all problems of a schema. */
function checkSchema(schema: DataSchema): void {
  const problems = schemaProblems(schema, '/schema');
  if (problems.length > 0) throw failAll(problems);
}
