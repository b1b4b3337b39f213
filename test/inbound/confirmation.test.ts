import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { confirmTopic } from '../../src/inbound/confirmation/confirm.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { closeAll } from '../platform/egress/receiver.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { codeOf, receiversPath } from './a-receiver.ts';
import { aSubscriberOf } from './a-subscriber.ts';
import type { Subscriber } from './a-subscriber.ts';
import { fromTopic, leaf, toolsWith, topicArn } from './a-topic.ts';
import { aQuestion, startTopicService } from './a-topic-service.ts';

// Without a worker: what is due waits until the test confirms it.
let api: TestApi;
let team: TestTeam;
let topic: Awaited<ReturnType<typeof startTopicService>>;

beforeAll(async () => {
  api = await startTestApi({}, { verificationTools: toolsWith(leaf()) });
  topic = await startTopicService();
});
afterAll(async () => {
  await closeAll();
  await api.stop();
});
beforeEach(async () => {
  topic.answer(200);
  team = await api.newTeam();
});

const otherArn = 'arn:aws:sns:us-east-1:123456789012:another';
const pinned = { topic_arns: [topicArn] };
const automatic = { auto_confirm: true, topic_account_id: '123456789012' };
const day = 86_400_000;

const aSubscriber = (verification: object) => aSubscriberOf(api, team, verification);

/** Confirms as the receiver's workflow does once it is due. */
const confirm = (deliveryId: string, retryScheduleMs: readonly number[] = []) =>
  confirmTopic(
    {
      database: api.db.database,
      keyring: api.keyring,
      egress: topic.egress,
      log: createLog('silent', 'worker'),
      publicBaseUrl: api.config.publicBaseUrl,
      retryScheduleMs,
    },
    team.id,
    deliveryId,
  );

/** Sets the creation time of the receiver back. */
const age = (receiverId: string, ms: number) =>
  api.db.look(
    (sql) => sql`
      update incoming_webhook_receivers
      set inserted_at = now() - make_interval(secs => ${ms / 1_000})
      where id = ${receiverId} returning id`,
  );

describe('the confirmation request of a topic', () => {
  test('is stored as pending_confirmation without its address, and the receiver shows it', async () => {
    const receiver = await aSubscriber({});
    const question = aQuestion();
    const { id } = await receiver.ask(question);
    const delivery = await receiver.delivery(id);
    expect(delivery).toMatchObject({
      status: 'pending_confirmation',
      event_type: 'subscription_confirmation',
      signature_status: 'verified',
      payload: { topic_arn: topicArn, message_id: delivery.provider_event_id },
      attempts: 0,
    });
    expect(JSON.stringify(delivery)).not.toContain(question.fields.Token);
    expect(await receiver.verification()).toMatchObject({
      status: 'pending_confirmation',
      pending_confirmation: { delivery_id: id, topic_arn: topicArn },
    });
    // The receiver has not accepted the topic yet.
    expect(delivery).not.toHaveProperty('next_attempt_at');
    expect(await receiver.outboxEntries()).toBe(0);
  });

  test.each([
    ['the end of a subscription', 'UnsubscribeConfirmation', {}],
    ['a greeting', 'Notification', { Message: 'Successfully validated SNS topic for Amazon SES.' }],
  ] as const)('is not %s, which is stored as ignored', async (_, type, fields) => {
    const receiver = await aSubscriber(pinned);
    const id = await receiver.take(fromTopic(type, { ...aQuestion().fields, ...fields }));
    const delivery = await receiver.delivery(id);
    expect(delivery).toMatchObject({ status: 'ignored', error: { code: 'ignored' } });
    expect(delivery).not.toHaveProperty('next_attempt_at');
    expect(delivery).not.toHaveProperty('payload');
  });
});

describe('a topic is confirmed once and pinned', () => {
  test.each([
    ['it is pinned already', pinned],
    ['the receiver takes the first topic of an account by itself', automatic],
  ])('if %s', async (_, settings) => {
    const receiver = await aSubscriber(settings);
    const { id, place } = await receiver.ask();
    expect(await receiver.delivery(id)).toHaveProperty('next_attempt_at');
    expect(await receiver.outboxEntries()).toBe(1);

    expect(await confirm(id)).toBe('applied');
    expect(await confirm(id)).toBe('given_up');
    expect(topic.callsOf(place)).toMatchObject([{ method: 'GET', body: '' }]);
    const delivery = await receiver.delivery(id);
    expect(delivery).toMatchObject({ status: 'processed', attempts: 1 });
    expect(delivery).toHaveProperty('processed_at');
    expect(delivery).not.toHaveProperty('next_attempt_at');
    const verification = await receiver.verification();
    expect(verification).toMatchObject({ status: 'configured', ...pinned });
    expect(verification).not.toHaveProperty('pending_confirmation');
  });

  test('if a client accepts one of several topics by name', async () => {
    const receiver = await aSubscriber({});
    const { id, place } = await receiver.ask();
    const other = await receiver.ask(aQuestion(), { TopicArn: otherArn });
    const reply = await receiver.accept({ topic_arn: topicArn });
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ ...pinned, status: 'pending_confirmation' });
    expect(await receiver.delivery(id)).toHaveProperty('next_attempt_at');
    expect(await receiver.delivery(other.id)).not.toHaveProperty('next_attempt_at');
    expect(await receiver.outboxEntries()).toBe(1);

    expect(await confirm(id)).toBe('applied');
    expect(topic.callsOf(place)).toHaveLength(1);
    expect((await receiver.delivery(id)).status).toBe('processed');
    expect((await receiver.verification()).topic_arns).toEqual([topicArn]);
    expect(codeOf(await receiver.accept({ topic_arn: topicArn }))).toBe('409 conflict');
  });

  test('if a client accepts the newest topic, in addition to the pinned ones', async () => {
    const receiver = await aSubscriber({});
    await receiver.ask();
    const { id, place } = await receiver.ask(aQuestion(), { TopicArn: otherArn });
    await receiver.verify(pinned);
    expect((await receiver.accept()).body.topic_arns).toEqual([topicArn, otherArn]);
    expect(await confirm(id)).toBe('applied');
    expect(topic.callsOf(place)).toHaveLength(1);
    expect((await receiver.verification()).topic_arns).toEqual([topicArn, otherArn]);
  });

  test('but not if no request is pending', async () => {
    const receiver = await aSubscriber(pinned);
    expect(codeOf(await receiver.accept())).toBe('409 conflict');
  });
});

describe('a topic request is dropped without a call', () => {
  async function expectGivenUp(receiver: Subscriber, id: string) {
    const before = topic.authorities().length;
    await api.db.look(
      (sql) => sql`update inbound_deliveries set next_attempt_at = now() where id = ${id}
        returning id`,
    );
    expect(await confirm(id, [day])).toBe('given_up');
    expect(topic.authorities().slice(before)).toEqual([]);
    const [row] = await api.db.look(
      (sql) => sql`
        select status, attempts, next_attempt_at from inbound_deliveries where id = ${id}`,
    );
    expect(row).toEqual({ status: 'pending_confirmation', attempts: 0, next_attempt_at: null });
    expect(await pinsOf(receiver.id)).not.toContain(topicArn);
  }
  const pinsOf = async (receiverId: string) => {
    const [row] = await api.db.look(
      (sql) => sql<{ pins: string[] | null }[]>`
        select settings -> 'topic_arns' as pins from incoming_webhook_receivers
        where id = ${receiverId}`,
    );
    return row?.pins ?? [];
  };

  test('if another topic is pinned', async () => {
    const receiver = await aSubscriber(automatic);
    const { id } = await receiver.ask();
    await receiver.verify({ topic_arns: [otherArn] });
    await expectGivenUp(receiver, id);
    expect(await pinsOf(receiver.id)).toEqual([otherArn]);
  });

  test('if it has not been accepted', async () => {
    const receiver = await aSubscriber({});
    await expectGivenUp(receiver, (await receiver.ask()).id);
  });

  test('after the first day of an automatic receiver, but not within it', async () => {
    const receiver = await aSubscriber(automatic);
    await age(receiver.id, day + 60_000);
    const { id } = await receiver.ask();
    expect(await receiver.delivery(id)).not.toHaveProperty('next_attempt_at');
    expect(await receiver.outboxEntries()).toBe(0);
    await expectGivenUp(receiver, id);

    await age(receiver.id, day - 3_600_000);
    expect(await confirm(id)).toBe('applied');
  });

  test('if its receiver has been deleted', async () => {
    const receiver = await aSubscriber(automatic);
    const { id } = await receiver.ask();
    expect((await team.delete(`${receiversPath}/${receiver.id}`)).status).toBe(204);
    await expectGivenUp(receiver, id);
  });

  test.each([
    ['are gone', `delete from inbound_raw where id = $1 returning id`],
    [
      'were sealed by a key that is gone',
      `update inbound_raw set sealed_callback = 'gone.AAAA' where id = $1 returning id`,
    ],
  ])('if the bytes with its address %s', async (_, statement) => {
    const receiver = await aSubscriber(automatic);
    const { id } = await receiver.ask();
    expect(await api.db.look((sql) => sql.unsafe(statement, [id]))).toHaveLength(1);
    await expectGivenUp(receiver, id);
  });

  test.each([
    ['is not https', 'http://sns.us-east-1.amazonaws.com'],
    ['is another host', 'https://sns.us-east-1.amazonaws.com.example.com'],
    ['is an address of a network', 'https://169.254.169.254'],
    ['has a port', 'https://sns.us-east-1.amazonaws.com:8443'],
    ['has the usual port', 'https://sns.us-east-1.amazonaws.com:443'],
    ['has a user', 'https://somebody@sns.us-east-1.amazonaws.com'],
    ['has a user that looks like the host', 'https://sns.us-east-1.amazonaws.com@example.com'],
    ['is no address', 'sns.us-east-1.amazonaws.com'],
  ])('if its address %s, and the request is stored as failed', async (_, base) => {
    const receiver = await aSubscriber(automatic);
    const { id } = await receiver.ask(aQuestion(base));
    const delivery = await receiver.delivery(id);
    expect(delivery).toMatchObject({ status: 'failed', error: { code: 'payload_unrecognised' } });
    expect(delivery).not.toHaveProperty('next_attempt_at');
    expect(await receiver.outboxEntries()).toBe(0);
    // A confirmation despite the failure would read the address again.
    const payload = { topic_arn: topicArn, message_id: 'message-1' };
    await api.db.look(
      (sql) => sql`
        update inbound_deliveries set status = 'pending_confirmation', payload = ${sql.json(payload)}
        where id = ${id} returning id`,
    );
    await expectGivenUp(receiver, id);
  });
});

describe('an answer other than 2xx', () => {
  test.each([500, 403, 302])(
    '(%d) is retried by the schedule until its last attempt',
    async (status) => {
      const receiver = await aSubscriber(automatic);
      const { id, place } = await receiver.ask();
      topic.answer(status);
      const pausesDays: (number | undefined)[] = [];
      for (let round = 1; round <= 3; round += 1) {
        expect(await confirm(id, [2 * day, 4 * day])).toBe(round < 3 ? 'waiting' : 'given_up');
        const delivery = await receiver.delivery(id);
        expect(delivery).toMatchObject({
          status: 'pending_confirmation',
          attempts: round,
          error: { code: 'confirmation_failed' },
        });
        const { next_attempt_at: next } = delivery;
        pausesDays.push(next && Math.round((Date.parse(next) - Date.now()) / day));
      }
      expect(pausesDays).toEqual([2, 4, undefined]);
      expect(topic.callsOf(place)).toHaveLength(3);
      expect(await receiver.verification()).not.toHaveProperty('topic_arns');

      // Accepting the topic causes another call.
      topic.answer(204);
      expect((await receiver.accept()).status).toBe(202);
      expect(await confirm(id)).toBe('applied');
      const delivery = await receiver.delivery(id);
      expect(delivery).toMatchObject({ status: 'processed', attempts: 4 });
      expect(delivery).not.toHaveProperty('error');
      expect(await receiver.verification()).toMatchObject({ status: 'configured', ...pinned });
    },
  );
});
