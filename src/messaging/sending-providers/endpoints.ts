import { countRows } from '../../platform/database/count-rows.ts';
import type { SendingDomainConfig } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields } from '../../platform/events/record.ts';
import { publishProvider } from './publish.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { sendingProviderTestJob } from '../../../workflows/jobs.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { maySendFrom } from '../../team/sending-domains/sender.ts';
import { checkProvider } from './check.ts';
import {
  countProviders,
  deleteSendingProviderRow,
  insertSendingProvider,
  lockSendingProvider,
  requireSendingProvider,
  rotateSecret,
  sendingProviderSource,
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
const readScope = 'partner:sending_providers:read';
const writeScope = 'partner:sending_providers:write';
const demands = () => ({
  scopes: [...scopesOfReceiver],
  rateClass: 'write' as const,
  needsKey: false,
});
const fixed = ['channel', 'kind'] as const;
const written = [
  ...fixed,
  'name',
  'priority',
  'is_active',
  'url',
  'account',
  'family',
  'senders',
] as const satisfies readonly (keyof ProviderContent)[];

export const listSendingProviders = listEndpoint({
  id: 'listSendingProviders',
  path,
  summary: 'List sending providers',
  description:
    'Returns the sending providers of the team with their state. Secrets are never returned.',
  tag,
  scope: readScope,
  item: SendingProvider,
  fields: sendingProviderListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => sendingProviderSource(teamId),
});

export const createSendingProvider = endpoint({
  id: 'createSendingProvider',
  method: 'POST',
  path,
  summary: 'Add a sending provider: an account through which messages of the team are sent',
  description:
    'Adds a provider of one channel. Once a team has an active provider for a channel, its ' +
    'messages of that channel leave through its own providers only, by priority. The token needs ' +
    'the scopes that read messages and contacts, since the provider receives both. A team has at ' +
    'most 10 sending providers, and 5 for a channel. Test the login with testSendingProvider ' +
    'next, and release it with releaseSendingProvider where the team has ' +
    'requires_provider_release.',
  errors: ['quota_exceeded', 'target_not_allowed', 'sender_not_verified'],
  tag,
  scope: writeScope,
  demands,
  rateClass: 'write',
  bodyExample: {
    name: 'Mail relay',
    channel: 'email',
    kind: 'smtp',
    url: 'smtp://mail.example.com:587',
    account: 'onward',
    senders: ['hello@bank.example'],
    secret: 'of the account',
  },
  body: SendingProviderCreate,
  status: 201,
  response: SendingProvider,
  location: `${path}/{id}`,
  audit: 'sending_provider.created',
  async handle({ sql, teamId, principal: { clientId }, body, services: { config, keyring } }) {
    const { content, secret = '' } = checkProvider(
      newProvider(body),
      body.secret,
      undefined,
      config.webhooks,
    );
    await checkSender(sql, config.sending.domains, teamId, content);
    await checkQuota(sql, teamId, {
      name: 'sending_providers',
      limit: maxSendingProviders,
      count: countRows('sending_providers'),
    });
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

export const getSendingProvider = endpoint({
  id: 'getSendingProvider',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a sending provider',
  description:
    'Returns one sending provider with its state: the last test, and since when and why it ' +
    'accepts nothing. Its secret is never returned. It has no side effects.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: SendingProvider,
  handle: ({ sql, teamId, params }) => requireSendingProvider(sql, teamId, params.id),
});

export const updateSendingProvider = endpoint({
  id: 'updateSendingProvider',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update a sending provider; its channel and kind cannot be changed',
  description:
    'Changes the fields that the body names; a secret replaces the stored one without an ' +
    'overlap. Another server needs the secret in the same body, so that a stored one is never ' +
    'sent elsewhere. Messages that are not sent yet leave with the new settings, and a halted ' +
    'provider is tried again. Another server, account or secret ends a release of the settings. Replace a secret with an overlap by rotateSendingProviderSecret.',
  errors: ['immutable_field', 'target_not_allowed', 'sender_not_verified'],
  tag,
  scope: writeScope,
  demands,
  rateClass: 'write',
  body: SendingProviderPatch,
  response: SendingProvider,
  audit: 'sending_provider.updated',
  async handle(call) {
    const { sql, teamId, principal, body, checkPrecondition, services } = call;
    const { config, keyring } = services;
    const before = await lockSendingProvider(sql, teamId, call.params.id);
    checkPrecondition(before);
    for (const field of fixed) {
      if (body[field] === undefined || body[field] === before[field]) continue;
      throw fail('immutable_field', {
        detail: `${field} is fixed: make another provider.`,
        meta: { pointer: `/${field}` },
      });
    }
    const wanted = writeFields(before, body, written);
    const { content, secret } = checkProvider(wanted, body.secret, before, config.webhooks);
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

export const deleteSendingProvider = endpoint({
  id: 'deleteSendingProvider',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a sending provider and its secret',
  description:
    'Deletes a sending provider and its secrets permanently. Messages that are not sent yet leave ' +
    'through the other providers of the team. Without another active one for the channel, they ' +
    'leave through the provider of the installation, where it is offered to the team, or wait.',
  tag,
  scope: 'partner:sending_providers:delete',
  rateClass: 'write',
  audit: 'sending_provider.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const before = await lockSendingProvider(sql, teamId, id);
    checkPrecondition(before);
    await deleteSendingProviderRow(sql, teamId, id);
    const event_sequence = before.event_sequence + 1;
    publishProvider(sql, 'deleted', { ...before, event_sequence });
    return undefined;
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
    const before = await lockSendingProvider(sql, teamId, id);
    checkPrecondition(before);
    if (before.test_status === 'pending') return before;
    await requestTest(sql, before);
    await signalJob(sql, sendingProviderTestJob, id, teamId);
    return requireSendingProvider(sql, teamId, id);
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
    const before = await lockSendingProvider(sql, teamId, call.params.id);
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
