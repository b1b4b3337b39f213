import { randomUUID } from 'node:crypto';
import { signStandardWebhook } from '../../src/inbound/signatures/standard-webhooks.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';

export const receiversPath = '/v2/partner/incoming-webhook-receivers';

export interface TestReceiver {
  id: string;
  kind: string;
  secret: string;
  /** Where callbacks are posted to. */
  path: string;
  /** A body as a relay would send it. */
  send(body: unknown, options?: SendOptions): Promise<Reply>;
  deliveries(query?: string): Promise<Reply['body']>;
}

interface SendOptions {
  secret?: string;
  atMs?: number;
  headers?: Record<string, string>;
  /** Another process of the same service. */
  url?: string;
}

export async function aReceiver(
  api: TestApi,
  team: TestTeam,
  fields: Record<string, unknown> = {},
): Promise<TestReceiver> {
  const reply = await team.post(receiversPath, { receiver_kind: 'generic_hmac', ...fields });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  const { id, receiver_kind: kind } = reply.body;
  const secret = String(reply.body.secrets.relay_secret);
  const path = `/v2/webhooks/inbound/${String(kind)}/${String(id)}`;
  return {
    id,
    kind,
    secret,
    path,
    async send(body, options = {}) {
      const text = JSON.stringify(body);
      const headers = {
        ...signStandardWebhook(
          options.secret ?? secret,
          `msg_${randomUUID()}`,
          options.atMs ?? Date.now(),
          text,
        ),
        ...options.headers,
      };
      return api.call('POST', path, { raw: text, headers });
    },
    async deliveries(query = '') {
      const list = await team.get(`/v2/webhooks/inbound/${String(id)}/deliveries${query}`);
      if (list.status !== 200) throw new Error(JSON.stringify(list.body));
      return list.body;
    },
  };
}

/** An event of generic_hmac with an id of its own. */
export const anEvent = (fields: object = {}) => ({
  kind: 'generic_hmac',
  event_type: 'deposit.received',
  event_id: randomUUID(),
  occurred_at: new Date().toISOString(),
  ...fields,
});

export const codeOf = ({ status, body }: Reply) =>
  `${String(status)} ${String(body?.errors?.[0]?.code ?? body?.status)}`;
