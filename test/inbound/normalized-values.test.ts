import { describe, expect, test } from '@jest/globals';
import { exampleValue } from '../../src/platform/events/example.ts';
import { receivers } from '../../src/inbound/receivers.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

/** The example of a payload, once with each listed value of each of its fields. */
function payloadsOf(schema: (typeof receivers)[keyof typeof receivers]['payload']) {
  const example: object = {
    ...Object.assign({}, exampleValue(schema, '', 'answer')),
    ...('device_token_hash' in schema.properties && { device_token_hash: 'ab'.repeat(32) }),
  };
  return Object.entries(schema.properties).flatMap(([field, property]) => {
    const values: unknown = 'enum' in property ? property.enum : [];
    return Array.isArray(values)
      ? values.map((value: unknown) => ({ ...example, [field]: value }))
      : [];
  });
}

describe('a normalized callback', () => {
  test.each(Object.values(receivers))(
    'of $kind is accepted with any value that the schema lists',
    async ({ kind, payload }) => {
      const team = await api.newTeam();
      for (const sent of payloadsOf(payload)) {
        // One each, so that no payload repeats another one.
        const { body: receiver } = await team.post('/v2/partner/incoming-webhook-receivers', {
          receiver_kind: kind,
        });
        const taken = await team.post(`/v2/webhooks/inbound/${kind}/${receiver.id}`, sent);
        expect({ sent, ...taken }).toMatchObject({ status: 200 });
        const { body } = await team.get(
          `/v2/webhooks/inbound/${receiver.id}/deliveries/${taken.body.delivery_id}`,
        );
        expect(body.receiver_kind).toBe(kind);
      }
    },
  );
});
