import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { createSampleKeys } from '../inbound/sample-keys.ts';
import {
  ecdsaP256Timestamped,
  signedBytes,
} from '../../src/inbound/signatures/key-pair-timestamped.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import type { ReceivedMail } from '../support/mail-server.ts';

/** A report of a provider about a mail that it accepted. */
export interface Report {
  mail: ReceivedMail;
  event: 'delivered' | 'bounce' | 'open' | 'click' | 'spamreport' | 'unsubscribe';
  /** Further fields of the report. */
  more?: object;
}

export interface MailProvider {
  /** One signed callback about some mails; gives it, so that it can be repeated. */
  report(reports: readonly Report[]): Promise<Callback>;
  /** The same bytes once more, as after an answer that was lost. */
  repeat(callback: Callback): Promise<void>;
}

interface Callback {
  body: string;
  headers: Record<string, string>;
}

/** A provider of the family email_b: it echoes our ids at the top of each event, and signs. */
export async function aMailProvider(api: TestApi, team: TestTeam): Promise<MailProvider> {
  const { verification, signing } = createSampleKeys('email_b');
  const key = createPrivateKey(signing['private_key'] ?? '');
  const { path } = await aReceiver(api, team, { receiver_kind: 'email_b', verification });

  async function send({ body, headers }: Callback): Promise<Reply> {
    const reply = await api.call('POST', path, { raw: body, headers });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply;
  }
  return {
    async report(reports) {
      const seconds = Math.floor(Date.now() / 1_000);
      const body = `${JSON.stringify(reports.map((one) => eventOf(one, seconds)))}\r\n`;
      const content = signedBytes(ecdsaP256Timestamped, String(seconds), body);
      const headers = {
        [ecdsaP256Timestamped.signatureHeader]: sign('sha256', content, key).toString('base64'),
        [ecdsaP256Timestamped.timestampHeader]: String(seconds),
      };
      await send({ body, headers });
      return { body, headers };
    },
    async repeat(callback) {
      await send(callback);
    },
  };
}

function eventOf({ mail, event, more }: Report, timestamp: number): object {
  const browser = { useragent: 'Mozilla/5.0 (X11; Linux x86_64)', ip: '198.51.100.7' };
  const isRead = event === 'open' || event === 'click';
  return {
    ...{ email: mail.recipient, timestamp, event, sg_event_id: randomUUID() },
    ...{ sg_message_id: `${randomUUID()}.recv-1`, 'smtp-id': `<${mail.messageId}>` },
    ...(isRead && browser),
    ...(event === 'click' && { url: 'https://bank.example/start' }),
    ...(event === 'bounce' && { type: 'bounce', status: '5.1.1', reason: 'no such user' }),
    ...idsIn(mail),
    ...more,
  };
}

/** Our ids, as the mail carried them. */
function idsIn({ source }: ReceivedMail): Record<string, string> {
  const header = /^X-SMTPAPI: (.*)\r$/m.exec(source)?.[1];
  if (header === undefined) throw new Error('the mail carries no ids');
  return JSON.parse(header).unique_args;
}
