import type { ProviderConfig } from '../../platform/config.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { createHttpSender, textIn } from './http.ts';
import type { Sender } from './sender.ts';

const jsonType = { 'Content-Type': 'application/json' };

/** Push to the device that was seen last; all data are texts. */
export function createPushASender(egress: Egress, config: ProviderConfig): Sender {
  const { url, account, key } = config;
  return createHttpSender(egress, { provider: 'push_a' }, ({ content, correlation }) => {
    if (content.channel !== 'push') return undefined;
    const [token = ''] = content.tokens;
    const { title, body, imageUrl, deepLink } = content;
    const data = Object.entries({ ...content.data, ...correlation }).map(
      ([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ],
    );
    return {
      url: `${url}/v1/projects/${account}/messages:send`,
      headers: { ...jsonType, Authorization: `Bearer ${key}` },
      body: JSON.stringify({
        message: {
          token,
          notification: { title, body, image: imageUrl },
          data: { ...Object.fromEntries(data), ...(deepLink && { deep_link: deepLink }) },
        },
      }),
      recipient: token,
      idIn: (json) => textIn(json, 'name')?.split('/').at(-1),
    };
  });
}

/** Push to all devices of a contact, by an aggregator that accepts each id only once. */
export function createPushBSender(egress: Egress, config: ProviderConfig): Sender {
  const { url, account, key } = config;
  return createHttpSender(egress, { provider: 'push_b' }, ({ id, content, correlation }) => {
    if (content.channel !== 'push') return undefined;
    const { title, body, imageUrl, deepLink, tokens, data } = content;
    return {
      url: `${url}/notifications`,
      headers: { ...jsonType, Authorization: `Key ${key}` },
      body: JSON.stringify({
        app_id: account,
        idempotency_key: id,
        include_subscription_ids: tokens,
        contents: { en: body },
        ...(title !== undefined && { headings: { en: title } }),
        ...(imageUrl !== undefined && { big_picture: imageUrl }),
        ...(deepLink !== undefined && { url: deepLink }),
        data: { ...data, ...correlation },
      }),
      recipient: tokens[0] ?? '',
      idIn: (json) => textIn(json, 'id'),
    };
  });
}
