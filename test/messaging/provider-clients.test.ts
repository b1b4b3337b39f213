import { GetAccountCommand, SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { auth as google, fcm } from '@googleapis/fcm';
import { afterAll, expect, test } from '@jest/globals';
import * as OneSignal from '@onesignal/node-onesignal';
import sendGrid from '@sendgrid/client';
import mail from '@sendgrid/mail';
import Mailgun from 'mailgun.js';
import Telnyx from 'telnyx';
import twilio from 'twilio';
import { createPushASender } from '../../src/messaging/providers/push.ts';
import { createTeamSender } from '../../src/messaging/providers/team-senders.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import { receiveUrl } from '../inbound/a-callback.ts';
import { developmentRules } from '../platform/egress/rules.ts';
import { startContractServer } from './contract-server.ts';
import { about, channelOf, ids, messages, senderAddresses } from './outgoing-messages.ts';
import { contracts, pushA } from './provider-contracts.ts';
import type { Contract, ProviderRequest } from './provider-contracts.ts';

// The providers publish their clients, which are made of the schemas of their interfaces. A client
// sends what we send: the contract accepts it, and it equals our request. Each call below is checked by
// the types of the client as well.

const egress = createEgress({ rules: developmentRules });
afterAll(() => egress.close());

// The client of email_b warns of other beginnings.
const secret = 'SG.current';
// This version is for Node 20 too; the warning is about later ones.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
const query = new URLSearchParams(Object.entries(ids).toSorted()).toString();

/** Sends by the client of the provider what `messages` contain, and makes the call of our check. */
type ByClient = (url: string, account: string, ours: ProviderRequest) => Promise<unknown>;

const byClients: Record<Contract['kind'], ByClient> = {
  async email_a(endpoint, accessKeyId, { body }) {
    const credentials = { accessKeyId, secretAccessKey: secret };
    const client = new SESv2Client({ endpoint, region: 'us-east-1', credentials });
    await client.send(
      new SendEmailCommand({
        Destination: { ToAddresses: ['ada@example.com'] },
        Content: { Raw: { Data: Buffer.from(body.Content.Raw.Data, 'base64') } },
        EmailTags: Object.entries(ids).map(([Name, Value]) => ({ Name, Value })),
      }),
    );
    await client.send(new GetAccountCommand({}));
    client.destroy();
  },
  async email_b(baseUrl) {
    mail.setClient(sendGrid);
    mail.setApiKey(secret);
    sendGrid.setDefaultRequest('baseUrl', baseUrl);
    await mail.send({
      personalizations: [{ to: { email: 'ada@example.com' }, customArgs: ids }],
      from: { name: 'Bänk, "Ltd"', email: 'hello@bank.example' },
      replyTo: { email: 'help@bank.example' },
      ...{ subject: 'Your card', text: 'Héllo', html: '<p>Héllo</p>' },
      headers: {
        'List-Unsubscribe': '<https://api.example.com/unsubscribe/token>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    await sendGrid.request({ method: 'GET', url: '/v3/scopes' });
  },
  async email_c(url, domain, { body }) {
    const client = new Mailgun(FormData).client({ username: 'api', key: secret, url });
    const variables = Object.entries(ids).map(([name, id]) => [`v:${name}`, id]);
    await client.messages.create(domain, {
      ...{ to: 'ada@example.com', message: body.message },
      ...Object.fromEntries(variables),
    });
    await client.domains.get(domain);
  },
  async sms_a(url, account) {
    const client = twilio(account, secret);
    const { httpClient } = client;
    const request = httpClient.request.bind(httpClient);
    httpClient.request = (options) =>
      request({ ...options, uri: options.uri.replace('https://api.twilio.com', url) });
    await client.messages.create({
      ...{ to: '+14155550100', from: '+14155550199', body: 'Hello, Ada' },
      statusCallback: `${receiveUrl}?${query}`,
    });
    await client.api.v2010.accounts(account).fetch();
  },
  async sms_b(url, messaging_profile_id) {
    const client = new Telnyx({ apiKey: secret, baseURL: `${url}/v2` });
    await client.messages.send({
      ...{ to: '+14155550100', from: '+14155550199', text: 'Hello, Ada' },
      // @ts-expect-error: callbacks return tags, but the schema of a request does not name them.
      tags: Object.entries(ids).map(([name, id]) => `${name}:${id}`),
      messaging_profile_id,
      webhook_url: receiveUrl,
    });
    await client.balance.retrieve();
  },
  async push_a(url, project) {
    const auth = new google.OAuth2();
    auth.setCredentials({ access_token: secret });
    await fcm({ version: 'v1', rootUrl: `${url}/`, auth }).projects.messages.send({
      parent: `projects/${project}`,
      requestBody: {
        message: {
          token: 'newest',
          notification: { title: 'Hi', body: 'Yo', image: 'https://example.com/i.png' },
          data: { step: '3', ...ids, deep_link: 'bank://start' },
        },
      },
    });
  },
  async push_b(url, app_id) {
    const client = new OneSignal.DefaultApi(
      OneSignal.createConfiguration({
        restApiKey: secret,
        baseServer: new OneSignal.ServerConfiguration(url, {}),
      }),
    );
    await client.createNotification(
      Object.assign(new OneSignal.Notification(), {
        ...{ app_id, idempotency_key: about.id, include_subscription_ids: ['newest', 'older'] },
        ...{ headings: { en: 'Hi' }, contents: { en: 'Yo' }, data: { step: 3, ...ids } },
        ...{ big_picture: 'https://example.com/i.png', url: 'bank://start' },
      } satisfies Partial<OneSignal.Notification>),
    );
    await client.getNotifications(app_id, 1);
  },
};

function senderOf({ kind, account }: Pick<Contract, 'kind' | 'account'>, url: string) {
  // With a token in place of the key of a service account; its check is a request for a token.
  if (kind === 'push_a') {
    const sender = createPushASender(egress, { url, account, key: secret }, about.id);
    return { ...sender, check: undefined };
  }
  const channel = channelOf(kind);
  return createTeamSender(
    {
      ...{ team_id: about.teamId, id: about.id, channel, kind, url },
      ...{ account: account || null, family: null, senders: senderAddresses[channel] },
    },
    { current: secret, previous: undefined },
    { egress, connections: 1 },
  );
}

/** The parts of a request that a provider reads. */
const read = ({ method, path, headers, body }: ProviderRequest) => ({
  ...{ method, path, body },
  // Without the boundary of a form.
  type: body && /^[^;]*/.exec(headers['content-type'] ?? '')?.[0],
});

test.each([...contracts, pushA])(
  'the client of $kind sends what the service sends',
  async (contract) => {
    const server = await startContractServer(contract);
    server.accept(secret);
    const sender = senderOf(contract, server.url);
    const message = messages[channelOf(contract.kind)];
    expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'sent' });
    const [first] = server.received;
    if (!first) throw new Error('nothing received');
    await sender.check?.(5_000);
    const ours = server.received.splice(0).filter(({ body }) => body?.message?.token !== 'older');

    await byClients[contract.kind](server.url, contract.account, first);
    expect(server.breaches).toEqual([]);
    expect(server.received.map(read)).toEqual(ours.map(read));
    await server.stop();
  },
);
