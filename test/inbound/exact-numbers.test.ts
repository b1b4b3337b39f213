import { createHmac } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { receivers } from '../../src/inbound/receivers.ts';
import { parseInner } from '../../src/inbound/read-json.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { callbackOf } from './a-callback.ts';
import { aReceiver, codeOf } from './a-receiver.ts';
import { storedRows } from './stored.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

/** A receiver of a sender that writes the id of an event as a number. */
async function aSender() {
  const receiver = await aReceiver(api, team, {
    verification: {
      preset: 'hex_prefixed',
      signing_key: 'the key of the sender',
      event_id_at: '/id',
      event_type_at: '/type',
    },
  });
  return {
    post: async (raw: string) => {
      const signature = createHmac('sha256', 'the key of the sender').update(raw).digest('hex');
      const headers = { 'X-Hub-Signature-256': `sha256=${signature}` };
      return codeOf(await api.call('POST', receiver.path, { raw, headers }));
    },
    stored: async () => (await storedRows(api, receiver.id)).map(({ payload }) => payload),
  };
}

test.each([
  [['9007199254740992', '9007199254740993']],
  [['1e400', '1e401']],
  [['-9007199254740993', '-9007199254740994']],
  [['0.12345678901234567890', '0.12345678901234567891']],
  [['123456789012345678901234567890', '123456789012345678901234567891']],
])('the ids %j are those of two events', async (ids) => {
  const sender = await aSender();
  for (const id of ids) {
    const body = `{"id":${id},"type":"deposit.received","amount":9007199254740993,"rate":0.5}`;
    expect(await sender.post(body)).toBe('200 accepted');
    expect(await sender.post(body)).toBe('200 duplicate');
  }
  const stored = await sender.stored();
  const data = expect.objectContaining({ amount: '9007199254740993', rate: 0.5 });
  expect(stored).toMatchObject(ids.map((id) => ({ event_id: id, data })));
});

test('the id of a small number is its digits', async () => {
  const sender = await aSender();
  expect(await sender.post('{"id":42,"type":"deposit.received"}')).toBe('200 accepted');
  expect(await sender.stored()).toMatchObject([{ event_id: '42', data: { id: 42 } }]);
});

test('a large number within a message of a topic or bus does not hide the event', () => {
  const inner = '{"event":"MESSAGE_DELIVERED","message_id":"m","project_number":9007199254740993}';
  expect(parseInner(inner)).toMatchObject({ project_number: '9007199254740993' });
  const message = { data: Buffer.from(inner).toString('base64'), messageId: '1' };
  const body = JSON.stringify({ message, subscription: 's' });
  const [item] = receivers.push_a.read(callbackOf({ headers: {}, body }), {});
  expect(item).toMatchObject({ payload: { event: 'delivered', push_a_message_id: 'm' } });
});

test('a rounded group is not the group of an unsubscribe', () => {
  const body =
    '[{"email":"a@example.com","event":"group_unsubscribe","asm_group_id":9007199254740993,' +
    '"timestamp":1769851800,"sg_event_id":"e","sg_message_id":"m"}]';
  const [item] = receivers.email_b.read(callbackOf({ headers: {}, body }), {});
  expect(item).toHaveProperty('payload.event', 'group_unsubscribe');
  expect(item).not.toHaveProperty('payload.unsubscribe_group_id');
});
