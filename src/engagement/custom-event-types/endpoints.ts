import { countRows } from '../../platform/database/count-rows.ts';
import { changedFields } from '../../platform/events/record.ts';
import { schemaProblems } from '../../platform/http/data-schema.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import type { DataSchema } from '../../platform/schema/data-schema.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { checkQuota } from '../../team/quota.ts';
import {
  CustomEventType,
  CustomEventTypeCreate,
  CustomEventTypePatch,
  maxCustomEventTypes,
} from './custom-event-type.ts';
import {
  customEventTypeSource,
  deleteCustomEventTypeRow,
  findCustomEventTypeId,
  insertCustomEventType,
  lockCustomEventType,
  requireCustomEventType,
  updateCustomEventTypeRow,
} from './queries.ts';

const tag = 'Custom events';
const path = '/v2/partner/custom-event-types';

export const listCustomEventTypes = listEndpoint({
  id: 'listCustomEventTypes',
  path,
  summary: 'List custom event types',
  description:
    'Returns the event types that the team has defined, with their schemas. Events of such a ' +
    'type are published with the operation publishEvents.',
  tag,
  scope: 'partner:custom_event_types:read',
  item: CustomEventType,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    updated_at: { type: 'timestamp', filter: true, sort: true },
    name: { type: 'text', filter: true, sort: true },
  },
  defaultSort: '-inserted_at',
  source: ({ teamId }) => customEventTypeSource(teamId),
});

export const createCustomEventType = endpoint({
  id: 'createCustomEventType',
  method: 'POST',
  path,
  summary: 'Define an event type of the team',
  description:
    'Defines an event type of the team, whose name begins with "custom." and cannot be changed ' +
    'later. The schema is the part of JSON Schema that the field describes; without one the data ' +
    'may be any object. A team has at most 200 event types. Publish events with the operation ' +
    'publishEvents next, and subscribe to the name by a webhook subscription.',
  errors: ['quota_exceeded', 'key_taken'],
  tag,
  scope: 'partner:custom_event_types:write',
  rateClass: 'write',
  audit: 'custom_event_type.created',
  body: CustomEventTypeCreate,
  status: 201,
  response: CustomEventType,
  location: `${path}/{id}`,
  async handle({ sql, teamId, body: { name, description = null, schema = { type: 'object' } } }) {
    checkSchema(schema);
    await checkQuota(sql, teamId, {
      name: 'custom_event_types',
      of: 'custom event types',
      limit: maxCustomEventTypes,
      count: countRows('custom_event_types'),
    });
    const created = await insertCustomEventType(sql, teamId, { name, description, schema });
    if (created) return created;
    const holder = await findCustomEventTypeId(sql, teamId, name);
    throw fail('key_taken', {
      detail: 'Another event type of the team has this name.',
      meta: { pointer: '/name', ...holder },
    });
  },
});

export const getCustomEventType = endpoint({
  id: 'getCustomEventType',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a custom event type',
  description:
    'Returns one event type of the team with its schema. The data of a published event must ' +
    'fit the schema. The name is fixed.',
  tag,
  scope: 'partner:custom_event_types:read',
  rateClass: 'read',
  response: CustomEventType,
  handle: ({ sql, teamId, params }) => requireCustomEventType(sql, teamId, params.id),
});

export const updateCustomEventType = endpoint({
  id: 'updateCustomEventType',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update the description or the schema of a custom event type',
  description:
    'Changes the fields that the body names. The name is fixed. A new schema holds for events ' +
    'that are published from then on; recorded events stay as they are.',
  errors: ['immutable_field'],
  tag,
  scope: 'partner:custom_event_types:write',
  rateClass: 'write',
  audit: 'custom_event_type.updated',
  body: CustomEventTypePatch,
  response: CustomEventType,
  async handle({ sql, teamId, params, body: { name, ...changes }, checkPrecondition }) {
    const before = await lockCustomEventType(sql, teamId, params.id);
    checkPrecondition(before);
    if (name !== undefined && name !== before.name) {
      throw fail('immutable_field', {
        detail: 'The name of an event type is fixed.',
        meta: { pointer: '/name' },
      });
    }
    if (changes.schema !== undefined) checkSchema(changes.schema);
    const wanted = writeFields(before, changes, ['description', 'schema']);
    if (!changedFields(CustomEventType, before, { ...before, ...wanted })) return before;
    return updateCustomEventTypeRow(sql, teamId, before.id, wanted);
  },
});

export const deleteCustomEventType = endpoint({
  id: 'deleteCustomEventType',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a custom event type; its events are kept',
  description:
    'Deletes an event type, so that no further event of it is accepted. Recorded events, their ' +
    'deliveries, and the subscriptions, cohorts and triggers that name the type stay. The name ' +
    'can be defined again.',
  tag,
  scope: 'partner:custom_event_types:delete',
  rateClass: 'write',
  audit: 'custom_event_type.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    checkPrecondition(await lockCustomEventType(sql, teamId, params.id));
    await deleteCustomEventTypeRow(sql, teamId, params.id);
    return undefined;
  },
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
