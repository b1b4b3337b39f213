import { expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { RecipientJourney, RecipientPage } from '../../src/widget/journeys/journey.ts';

/** Bodies of successful answers that are no resource, and the reason. */
const answersOf: Readonly<Record<string, readonly string[]>> = {
  'defined by a standard (OAuth 2.0, JWK, RFC 8414, OpenAPI)': [
    'token_response',
    'revokeAccessToken',
    'getJwks',
    'getAuthorizationServerMetadata',
    'getOpenApi',
  ],
  'the same for every team': [
    'capabilities',
    'listErrorCodes',
    'listEventTypes',
    'server_time',
    'operation_descriptor',
    'listInsights',
    'listWebhookEventTypes',
  ],
  'figures, in the form that the interface document gives': [
    'template_status_rollup',
    'objective_completions_counts',
    'webhook_delivery_counts',
    'inbound_delivery_counts',
    ...endpoints
      .filter(({ id }) => /Insight/.test(id))
      .flatMap(({ response }) => titleOf(response) || []),
  ],
  'a judgment or a rendering, of which nothing is stored': [
    'cohort_preview',
    'cohort_explanation',
    'template_completeness',
    'enrollment_explanation',
    'message_delivery_explanation',
    'content_block_usage',
    'rendered_content',
    'rendered_page',
    'rendered_message',
    'landing_page_preview',
    'identity_verdict',
  ],
  'the outcome of a call for each of its items': [
    'cohort_members_changed',
    'message_test_sends',
    'message_send_report',
    'operation_report',
    'operation_item',
    'operation_result',
    'recordEngagementEvents',
    'recordRecipientEvents',
    'publishEvents',
    'inbound_receipt',
  ],
  'a secret or an address that is shown once': [
    'journey_link',
    'journey_watch',
    'widget_token',
    'opened_portal_session',
    'rotated_secret',
    'rotated_receiver_secrets',
  ],
};
const noResources = Object.values(answersOf).flat();

/** Body of a successful answer, or an item of a list, by the title of its schema or by its operation. */
const bodies = endpoints.flatMap((endpoint) => {
  const { id, response, list } = endpoint;
  if (!response) return [];
  const schema: unknown = list ? at(response, 'properties', 'data', 'items') : response;
  return [{ name: titleOf(schema) || id, schema }];
});

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}

function titleOf(schema: unknown): string {
  const title = at(schema, 'title');
  return typeof title === 'string' ? title : '';
}

/** Whether objects of a schema always have the two fields, and the type is one value. */
function isTyped(schema: unknown): boolean {
  const required = at(schema, 'required');
  const hasBoth = ['type', 'team_id'].every(
    (name) => Array.isArray(required) && required.includes(name),
  );
  return hasBoth && typeof at(schema, 'properties', 'type', 'const') === 'string';
}

test.each(bodies)('$name has type and team_id, or is declared to be no resource', (body) => {
  expect(isTyped(body.schema)).toBe(!noResources.includes(body.name));
});

test('every declared exception is an answer of the interface', () => {
  const names = bodies.map(({ name }) => name);
  expect(noResources.filter((name) => !names.includes(name))).toEqual([]);
});

test('a schema without one of the fields, or with a free type, is no resource', () => {
  const type = { const: 'note' };
  const properties = { id: {}, type, team_id: {} };
  expect(isTyped({ properties, required: ['type', 'team_id'] })).toBe(true);
  expect(isTyped({ properties, required: ['type'] })).toBe(false);
  expect(isTyped({ properties: { ...properties, type: {} }, required: ['type', 'team_id'] })).toBe(
    false,
  );
});

test('resources inside the view of a recipient have the fields, too', () => {
  expect(isTyped(at(RecipientPage, 'properties', 'widget'))).toBe(true);
  expect(isTyped(at(RecipientJourney, 'properties', 'widget'))).toBe(true);
  expect(isTyped(at(RecipientJourney, 'properties', 'pages', 'items'))).toBe(true);
});
