import { expect } from '@jest/globals';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aReceiver, codeOf, receiversPath } from './a-receiver.ts';
import { fromTopic } from './a-topic.ts';
import { aQuestion } from './a-topic-service.ts';

export type Subscriber = Awaited<ReturnType<typeof aSubscriberOf>>;

/** A receiver for confirmation requests of a topic, with access to their state. */
export async function aSubscriberOf(api: TestApi, team: TestTeam, verification: object) {
  const { id, path } = await aReceiver(api, team, { receiver_kind: 'email_a', verification });
  const take = async (body: string) => {
    const headers = { 'Content-Type': 'text/plain; charset=UTF-8' };
    const reply = await api.call('POST', path, { raw: body, headers });
    expect(codeOf(reply)).toBe('200 accepted');
    return String(reply.body.delivery_id);
  };
  return {
    id,
    take,
    /** Sends a confirmation request of the topic; returns it with the path of its confirmation. */
    async ask({ fields, path: place } = aQuestion(), changes: Record<string, string> = {}) {
      const body = fromTopic('SubscriptionConfirmation', { ...fields, ...changes });
      return { id: await take(body), place };
    },
    delivery: async (delivery: string) =>
      (await team.get(`/v2/webhooks/inbound/${id}/deliveries/${delivery}`)).body,
    verification: async () => (await team.get(`${receiversPath}/${id}/verification`)).body,
    verify: (settings: object) => team.patch(`${receiversPath}/${id}/verification`, settings),
    accept: (body?: object) => team.post(`${receiversPath}/${id}/confirm-subscription`, body),
    outboxEntries: async () =>
      (
        await api.db.look(
          (sql) => sql`select from workflow_outbox where workflow = 'inbound' and key = ${id}`,
        )
      ).length,
  };
}
