import { createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import { bodyHmac } from '../../src/inbound/signatures/body-hmac-sha256.ts';
import {
  ecdsaP256Timestamped,
  signedBytes,
} from '../../src/inbound/signatures/key-pair-timestamped.ts';
import { receiversPath } from './a-receiver.ts';
import { createSampleKeys } from './sample-keys.ts';
import { fromTopic, topicArn } from './a-topic.ts';

export type MailKind = 'email_a' | 'email_b' | 'email_c';

export interface MailProvider {
  receiverId: string;
  /** Sends an event of the provider, or several in a list, signed. */
  send(event: object): Promise<Reply>;
  /** Sends a body that is signed already, or signed by its fields. */
  post(body: string, contentType: string): Promise<Reply>;
  /** Fields of a proof in the body, for email_c. */
  proof(): Record<'timestamp' | 'token' | 'signature', string>;
  /** The first delivery of a reply. */
  delivery(reply: Reply): Promise<any>;
}

/** A receiver of e-mail events, and the provider that signs for it by its own scheme. */
export async function aMailProvider(
  api: TestApi,
  team: TestTeam,
  kind: MailKind,
): Promise<MailProvider> {
  const { verification, signing } =
    kind === 'email_a'
      ? { verification: { topic_arns: [topicArn] }, signing: {} as Record<string, string> }
      : createSampleKeys(kind);
  const made = await team.post(receiversPath, { receiver_kind: kind, verification });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const path = new URL(String(made.body.receive_url)).pathname;
  const post = async (raw: string, type: string, headers: Record<string, string> = {}) =>
    api.call('POST', path, { raw, headers: { ...headers, 'Content-Type': type } });
  const proof = () => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const token = randomBytes(25).toString('hex');
    return { timestamp, token, signature: bodyHmac(signing.signing_key ?? '', timestamp, token) };
  };

  return {
    receiverId: made.body.id,
    post,
    proof,
    async send(event) {
      if (kind === 'email_a') {
        return post(fromTopic('Notification', { Message: JSON.stringify(event) }), 'text/plain');
      }
      if (kind === 'email_c') {
        const body = { signature: proof(), 'event-data': event };
        return post(JSON.stringify(body), 'application/json');
      }
      const body = `${JSON.stringify(Array.isArray(event) ? event : [event])}\r\n`;
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const content = signedBytes(ecdsaP256Timestamped, timestamp, body);
      const key = createPrivateKey(signing.private_key ?? '');
      return post(body, 'application/json', {
        [ecdsaP256Timestamped.signatureHeader]: sign('sha256', content, key).toString('base64'),
        [ecdsaP256Timestamped.timestampHeader]: timestamp,
      });
    },
    async delivery({ body }) {
      const path = `/v2/webhooks/inbound/${String(made.body.id)}/deliveries`;
      return (await team.get(`${path}/${String(body.delivery_id)}?include=payload`)).body;
    },
  };
}

export interface Recipient {
  id: string;
  email: string;
  send: { id: string; provider_message_id: string };
  /** The status of the message, the reason of a suppression and the consent, as the API shows them. */
  state(): Promise<{ status: string; suppression: string | undefined; consent: string }>;
}

/** A contact who has consented to e-mails, and a message that was sent to the address. */
export async function aRecipient(
  api: TestApi,
  team: TestTeam,
  { email = `${randomUUID()}@example.com`, status = 'queued' } = {},
): Promise<Recipient> {
  const made = await team.post('/v2/partner/contacts', {
    email,
    consents: { email: { status: 'subscribed', source: 'form' } },
  });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const contactId = String(made.body.id);
  const row = {
    team_id: team.id,
    message_id: randomUUID(),
    template_id: randomUUID(),
    contact_id: contactId,
    channel: 'email',
    status,
    provider_message_id: randomUUID(),
  };
  const [send] = await api.db.look(
    (sql) => sql<{ id: string; provider_message_id: string }[]>`
      insert into message_deliveries ${sql(row)} returning id, provider_message_id`,
  );
  if (!send) throw new Error('no message was made');
  const suppressed = `/v2/partner/suppressions?filter[address]=${encodeURIComponent(made.body.email)}`;
  return {
    id: contactId,
    email: made.body.email,
    send,
    async state() {
      const [message, contact, suppressions] = await Promise.all([
        team.get(`/v2/partner/message-deliveries/${send.id}`),
        team.get(`/v2/partner/contacts/${contactId}`),
        team.get(suppressed),
      ]);
      return {
        status: message.body.status,
        suppression: suppressions.body.data[0]?.reason,
        consent: contact.body.consents.email.status,
      };
    },
  };
}
