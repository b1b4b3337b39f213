import { endpoint } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import { publishProvider } from '../publish.ts';
import { sendingProviders } from '../queries.ts';
import { SendingProvider } from '../sending-provider.ts';
import { releaseProvider } from './queries.ts';

export const releaseSendingProvider = endpoint({
  id: 'releaseSendingProvider',
  method: 'POST',
  path: '/v2/partner/sending-providers/{id}/release',
  summary: 'Approve the settings of a sending provider as a second client',
  description:
    'Releases the present settings of a sending provider. Where the team has ' +
    'requires_provider_release, messages leave through released providers only. The client that ' +
    'last changed the server, the account or the secret is refused with 409; an operator can ' +
    'release them too. Another change of these needs another release.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag: 'Sending providers',
  scope: 'partner:sending_providers:write',
  rateClass: 'execute',
  response: SendingProvider,
  audit: 'sending_provider.released',
  async handle({ sql, teamId, principal, params: { id }, checkPrecondition }) {
    const before = await sendingProviders.lock(sql, teamId, id);
    checkPrecondition(before);
    if (before.released_at !== null) return before;
    if (before.changed_by_client_id === principal.clientId) {
      throw fail('invalid_state_transition', {
        detail: 'The client that last changed the provider cannot release it. Use another client.',
        meta: { resource: 'sending_provider', action: 'release', allowed_actions: [] },
      });
    }
    return publishProvider(sql, 'updated', await releaseProvider(sql, before));
  },
});

export const sendingProviderReleaseEndpoints = [releaseSendingProvider];
