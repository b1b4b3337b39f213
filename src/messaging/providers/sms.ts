import type { ProviderConfig } from '../../platform/config.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { basicLogin, createCheck, createHttpSender, textIn } from './http.ts';
import type { CheckedSender } from './sender.ts';

/**
 * Text messages by a form, with basic authentication. The query of the callback address contains
 * the ids of the service, and the provider signs it.
 */
export function createSmsASender(
  egress: Egress,
  { url, account, key, from }: ProviderConfig,
  owner: string,
): CheckedSender {
  const base = `${url}/2010-04-01/Accounts/${encodeURIComponent(account)}`;
  const Authorization = basicLogin(account, key);
  const sender = createHttpSender(egress, {
    provider: 'sms_a',
    callbackKind: 'sms_a',
    owner,
    callsOf({ content, correlation, callbackUrl }) {
      if (content.channel !== 'sms') return [];
      const query = new URLSearchParams(correlation);
      // Some requests of the provider have the parameters by name, and its signature has them as sent.
      query.sort();
      return [
        {
          url: `${base}/Messages.json`,
          headers: { Authorization, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            To: content.to,
            From: content.from ?? from,
            Body: content.body,
            ...(callbackUrl !== undefined && {
              StatusCallback: `${callbackUrl}?${query.toString()}`,
            }),
          }).toString(),
          recipient: content.to,
          idIn: (json) => textIn(json, 'sid'),
        },
      ];
    },
  });
  const request = { url: `${base}.json`, headers: { Authorization } };
  return { ...sender, check: createCheck(egress, owner, () => request) };
}

/** Text messages by JSON, with our ids in tags. */
export function createSmsBSender(
  egress: Egress,
  { url, account, key, from }: ProviderConfig,
  owner: string,
): CheckedSender {
  const Authorization = `Bearer ${key}`;
  const sender = createHttpSender(egress, {
    provider: 'sms_b',
    callbackKind: 'sms_b',
    owner,
    callsOf({ id, content, correlation, callbackUrl }) {
      if (content.channel !== 'sms') return [];
      return [
        {
          url: `${url}/v2/messages`,
          headers: { Authorization, 'Content-Type': 'application/json', 'Idempotency-Key': id },
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
        },
      ];
    },
  });
  const request = { url: `${url}/v2/balance`, headers: { Authorization } };
  return { ...sender, check: createCheck(egress, owner, () => request) };
}
