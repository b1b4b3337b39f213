import type { SendingDomainConfig } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields } from '../../platform/events/record.ts';
import { publishProvider } from './publish.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { sendingProviderTestJob } from '../../../workflows/jobs.ts';
import { maySendFrom } from '../../team/sending-domains/sender.ts';
import { checkProvider } from './check.ts';
import {
  countProviders,
  deleteSendingProviderRow,
  insertSendingProvider,
  rotateSecret,
  sendingProviders,
  updateSendingProviderRow,
} from './queries.ts';
import { requestTest } from './testing/queries.ts';
import { newProvider, scopesOfReceiver } from './rules.ts';
import type { ProviderContent } from './rules.ts';
import {
  SecretRotation,
  SendingProvider,
  SendingProviderCreate,
  SendingProviderPatch,
  maxProvidersPerChannel,
  maxSendingProviders,
  sendingProviderListFields,
} from './sending-provider.ts';

const tag = 'Sending providers';
const path = '/v2/partner/sending-providers';
const writeScope = 'partner:sending_providers:write';
const demands = () => ({
  scopes: [...scopesOfReceiver],
  rateClass: 'write' as const,
  needsKey: false,
});
const standard = standardEndpoints(
  { ...sendingProviders, create: SendingProviderCreate, patch: SendingProviderPatch },
  { tag, path, scope: 'partner:sending_providers' },
);

export const listSendingProviders = standard.list({
  summary: 'List sending providers',
  description:
    'Returns the sending providers of the team with their state. Secrets are never returned.',
  fields: sendingProviderListFields,
  defaultSort: '-inserted_at',
});

export const createSendingProvider = standard.create({
  summary: 'Add a sending provider: an account through which messages of the team are sent',
  description:
    'Adds a provider of one channel. Once a team has an active provider for a channel, its ' +
    'messages of that channel leave through its own providers only, by priority. The token needs ' +
    'the scopes that read messages and contacts, since the provider receives both. A team has at ' +
    'most 10 sending providers, and 5 for a channel. Test the login with testSendingProvider ' +
    'next, and release it with releaseSendingProvider where the team has ' +
    'requires_provider_release.',
  errors: ['target_not_allowed', 'sender_not_verified'],
  demands,
  bodyExample: {
    name: 'Mail relay',
    channel: 'email',
    kind: 'smtp',
    url: 'smtp://mail.example.com:587',
    account: 'onward',
    senders: ['hello@bank.example'],
    secret: 'of the account',
  },
  quota: maxSendingProviders,
  async handle({ sql, teamId, principal: { clientId }, body, services: { config, keyring } }) {
    const { content, secret = '' } = checkProvider(
      newProvider(body),
      body.secret,
      undefined,
      config.webhooks,
    );
    await checkSender(sql, config.sending.domains, teamId, content);
    await checkQuota(sql, teamId, {
      name: 'sending_providers_per_channel',
      of: 'sending providers for a channel',
      limit: maxProvidersPerChannel,
      count: countProviders(content.channel),
    });
    const made = await insertSendingProvider(sql, keyring, teamId, content, { secret, clientId });
    return publishProvider(sql, 'created', made);
  },
});

export const getSendingProvider = standard.get({
  summary: 'Get a sending provider',
  description:
    'Returns one sending provider with its state: the last test, and since when and why it ' +
    'accepts nothing. Its secret is never returned. It has no side effects.',
});

export const updateSendingProvider = standard.update({
  summary: 'Update a sending provider; its channel and kind cannot be changed',
  description:
    'Changes the fields that the body names; a secret replaces the stored one without an ' +
    'overlap. Another server needs the secret in the same body, so that a stored one is never ' +
    'sent elsewhere. Messages that are not sent yet leave with the new settings, and a halted ' +
    'provider is tried again. Another server, account or secret ends a release of the settings. Replace a secret with an overlap by rotateSendingProviderSecret.',
  errors: ['target_not_allowed', 'sender_not_verified'],
  demands,
  async handle({ sql, teamId, principal, body, services: { config, keyring } }, before) {
    const requested = sendingProviders.change(before, body);
    const { content, secret } = checkProvider(requested, body.secret, before, config.webhooks);
    const changed = changedFields(SendingProvider, before, { ...before, ...content });
    if (!changed && secret === undefined) return before;
    if (changed && 'senders' in changed) {
      await checkSender(sql, config.sending.domains, teamId, content);
    }
    const reconnects =
      secret !== undefined || ['url', 'account'].some((field) => field in (changed ?? {}));
    const how = { secret, reconnects, clientId: principal.clientId };
    const after = await updateSendingProviderRow(sql, keyring, before, content, how);
    return publishProvider(sql, 'updated', after);
  },
});

export const deleteSendingProvider = standard.delete({
  summary: 'Delete a sending provider and its secret',
  description:
    'Deletes a sending provider and its secrets permanently. Messages that are not sent yet leave ' +
    'through the other providers of the team. Without another active one for the channel, they ' +
    'leave through the provider of the installation, where it is offered to the team, or wait.',
  async handle({ sql, teamId }, before) {
    await deleteSendingProviderRow(sql, teamId, before.id);
    publishProvider(sql, 'deleted', { ...before, event_sequence: before.event_sequence + 1 });
  },
});

export const testSendingProvider = endpoint({
  id: 'testSendingProvider',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Test the login of a sending provider, without sending a message',
  description:
    'Requests a test of a sending provider: a worker connects and logs in, and sends no ' +
    'message. The answer has test_status pending. Get the provider until test_status is ' +
    'succeeded or failed; test_error_code says why. Providers of a team are tested one after ' +
    'the other; an inactive provider can be tested as well.',
  errors: ['precondition_failed'],
  tag,
  scope: writeScope,
  rateClass: 'execute',
  status: 202,
  response: SendingProvider,
  audit: 'sending_provider.tested',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const before = await sendingProviders.lock(sql, teamId, id);
    checkPrecondition(before);
    if (before.test_status === 'pending') return before;
    await requestTest(sql, before);
    await signalJob(sql, sendingProviderTestJob, id, teamId);
    return sendingProviders.require(sql, teamId, id);
  },
});

export const rotateSendingProviderSecret = endpoint({
  id: 'rotateSendingProviderSecret',
  method: 'POST',
  path: `${path}/{id}/rotate-secret`,
  summary: 'Rotate the secret; the old one stays valid until the overlap ends',
  description:
    'Replaces the secret of a sending provider. Where the provider rejects the new secret, the ' +
    'old one is used until the overlap ends, which is 24 hours unless the body names another ' +
    'time of at most seven days. A rotation whose overlap has not ended is refused with 409 ' +
    'unless force is true. Revoke the old secret at the provider afterwards.',
  errors: ['rotation_in_progress', 'precondition_failed', 'target_not_allowed'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  bodyExample: { secret: 'a new one of the account' },
  body: SecretRotation,
  response: SendingProvider,
  audit: 'sending_provider.secret_rotated',
  async handle(call) {
    const { sql, teamId, principal, body, checkPrecondition, services } = call;
    const { config, keyring } = services;
    const before = await sendingProviders.lock(sql, teamId, call.params.id);
    checkPrecondition(before);
    const { secret, overlap_seconds = 86_400, force = false } = body;
    checkProvider(before, secret, before, config.webhooks);
    const { previous_secret_expires_at } = before;
    if (previous_secret_expires_at !== null && !force) {
      throw fail('rotation_in_progress', {
        detail: 'The secret was rotated recently.',
        meta: { previous_expires_at: previous_secret_expires_at },
      });
    }
    const how = { secret, overlapSeconds: overlap_seconds, clientId: principal.clientId };
    return publishProvider(sql, 'updated', await rotateSecret(sql, keyring, before, how));
  },
});

export const sendingProviderEndpoints = [
  listSendingProviders,
  createSendingProvider,
  getSendingProvider,
  updateSendingProvider,
  deleteSendingProvider,
  testSendingProvider,
  rotateSendingProviderSecret,
];

/** Checked again before each e-mail is sent. */
async function checkSender(
  sql: Sql,
  domains: SendingDomainConfig,
  teamId: string,
  { channel, senders: [address] }: ProviderContent,
): Promise<void> {
  if (channel !== 'email' || address === undefined) return;
  if (await maySendFrom(sql, domains, teamId, address)) return;
  throw fail('sender_not_verified', {
    detail: 'The sender is not an address of a verified sending domain of the team.',
    meta: { pointer: '/senders/0' },
  });
}
