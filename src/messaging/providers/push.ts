import type { ProviderConfig } from '../../platform/config.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { createCheck, createHttpSender, textIn } from './http.ts';
import type { CheckedSender, Sender } from './sender.ts';

const jsonType = { 'Content-Type': 'application/json' };

/** Push to all devices of a contact, by one request for each; all data are texts. */
export function createPushASender(
  egress: Egress,
  { url, account, key }: Pick<ProviderConfig, 'url' | 'account' | 'key'>,
  owner: string,
): Sender {
  const Authorization = `Bearer ${key}`;
  return createHttpSender(egress, {
    provider: 'push_a',
    owner,
    callsOf({ content, correlation }) {
      if (content.channel !== 'push') return [];
      const { title, body, imageUrl, deepLink, tokens } = content;
      const data = Object.entries({ ...content.data, ...correlation }).map(
        ([name, value]): [string, string] => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ],
      );
      return tokens.map((token) => ({
        url: `${url}/v1/projects/${encodeURIComponent(account)}/messages:send`,
        headers: { ...jsonType, Authorization },
        body: JSON.stringify({
          message: {
            token,
            notification: { title, body, image: imageUrl },
            data: { ...Object.fromEntries(data), ...(deepLink && { deep_link: deepLink }) },
          },
        }),
        recipient: token,
        idIn: (json) => textIn(json, 'name')?.split('/').at(-1),
      }));
    },
  });
}

/** Push to all devices of a contact, by an aggregator that accepts each id only once. */
export function createPushBSender(
  egress: Egress,
  { url, account, key }: ProviderConfig,
  owner: string,
): CheckedSender {
  const Authorization = `Key ${key}`;
  const sender = createHttpSender(egress, {
    provider: 'push_b',
    owner,
    callsOf({ id, content, correlation }) {
      if (content.channel !== 'push') return [];
      const { title, body, imageUrl, deepLink, tokens, data } = content;
      return [
        {
          url: `${url}/notifications`,
          headers: { ...jsonType, Authorization },
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
        },
      ];
    },
  });
  // The application itself is shown only to the key of its organization.
  const newest = new URLSearchParams({ app_id: account, limit: '1' }).toString();
  const request = { url: `${url}/notifications?${newest}`, headers: { Authorization } };
  return { ...sender, check: createCheck(egress, owner, () => request) };
}
