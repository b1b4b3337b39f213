import type { ProviderConfig } from '../../platform/config.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { createHttpSender, textIn } from './http.ts';
import type { Sender } from './sender.ts';

/**
 * Text messages by a form, with basic authentication. The query of the callback address contains
 * the ids of the service, and the provider signs it.
 */
export function createSmsASender(egress: Egress, config: ProviderConfig): Sender {
  const { url, account, key, from } = config;
  const login = Buffer.from(`${account}:${key}`).toString('base64');
  return createHttpSender(
    egress,
    { provider: 'sms_a', callbackKind: 'sms_a' },
    ({ content, correlation, callbackUrl }) => {
      if (content.channel !== 'sms') return undefined;
      const query = new URLSearchParams(correlation).toString();
      return {
        url: `${url}/2010-04-01/Accounts/${account}/Messages.json`,
        headers: {
          Authorization: `Basic ${login}`,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          To: content.to,
          From: content.from ?? from,
          Body: content.body,
          ...(callbackUrl !== undefined && { StatusCallback: `${callbackUrl}?${query}` }),
        }).toString(),
        recipient: content.to,
        idIn: (json) => textIn(json, 'sid'),
      };
    },
  );
}

/** Text messages by JSON, with our ids in tags. */
export function createSmsBSender(egress: Egress, config: ProviderConfig): Sender {
  const { url, account, key, from } = config;
  return createHttpSender(
    egress,
    { provider: 'sms_b', callbackKind: 'sms_b' },
    ({ id, content, correlation, callbackUrl }) => {
      if (content.channel !== 'sms') return undefined;
      return {
        url: `${url}/v2/messages`,
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': id,
        },
        body: JSON.stringify({
          to: content.to,
          from: content.from ?? from,
          text: content.body,
          tags: Object.entries(correlation).map(([name, value]) => `${name}:${value}`),
          ...(account !== '' && { messaging_profile_id: account }),
          ...(callbackUrl !== undefined && { webhook_url: callbackUrl }),
        }),
        recipient: content.to,
        idIn: (json) => textIn(json, 'data', 'id'),
      };
    },
  );
}
