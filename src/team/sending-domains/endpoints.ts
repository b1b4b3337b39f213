import { randomBytes, randomUUID } from 'node:crypto';
import { getPublicSuffix } from 'tldts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { failAll } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import type { ListRow } from '../../platform/lists/list-endpoint.ts';
import { inStoredForm } from '../../platform/schema/email.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { sendingDomainJob } from '../../../workflows/jobs.ts';
import { lockTeam } from '../queries.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { presentDomain } from './present.ts';
import {
  deleteSendingDomainRow,
  dkimKeySealContext,
  findByDomain,
  insertSendingDomain,
  requestCheck,
  sendingDomains,
} from './queries.ts';
import type { SendingDomainRow } from './queries.ts';
import {
  SendingDomain,
  SendingDomainCreate,
  maxSendingDomains,
  sendingDomainListFields,
} from './sending-domain.ts';
import { cutText } from '../../platform/cut-text.ts';
import { stockDkimKey, takeDkimKey } from './dkim-key.ts';

/**
 * Whether anybody may register names under a domain, by the Public Suffix List: those of registries,
 * such as co.uk, and those of providers, such as github.io.
 */
const isPublicSuffix = (domain: string): boolean =>
  getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;

const tag = 'Sending domains';
const path = '/v2/partner/sending-domains';
const readScope = 'partner:sending_domains:read';
const writeScope = 'partner:sending_domains:write';

export const listSendingDomains = listEndpoint<SendingDomainRow & ListRow>({
  id: 'listSendingDomains',
  path,
  summary: 'List sending domains',
  description: 'Returns the domains from which the team sends e-mail, with their DNS records.',
  tag,
  scope: readScope,
  item: SendingDomain,
  fields: sendingDomainListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => sendingDomains.source(teamId),
  present: (row, { config }) => presentDomain(row, config.sending.domains.spfInclude),
});

export const createSendingDomain = endpoint({
  id: 'createSendingDomain',
  method: 'POST',
  path,
  summary: 'Add a sending domain; returns an existing domain of the team with 200',
  description:
    'Adds a domain from which the team sends e-mail. Publish the records of dns_records in its ' +
    'zone. The service looks them up at growing intervals and records the event ' +
    'sending_domain.verified; until then, messages with an address of the domain as from_email ' +
    'are refused. A domain that the team has already answers 200 and stays as it is. A team has ' +
    'at most 20 sending domains.',
  errors: ['quota_exceeded'],
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'sending_domain.created',
  body: SendingDomainCreate,
  status: 201,
  repeatStatus: 200,
  response: SendingDomain,
  location: `${path}/{id}`,
  admit: stockDkimKey,
  async handle({ sql, teamId, body, services: { config, keyring } }) {
    const domain = inStoredForm(body.domain);
    if (isPublicSuffix(domain)) {
      throw failAll([
        {
          code: 'validation_failed',
          detail: 'domain is a public suffix, under which others register their domains.',
          meta: { pointer: '/domain', rule: 'format' },
        },
      ]);
    }
    const { spfInclude } = config.sending.domains;
    // Before the quota: the team is locked, so that no other request adds the same one.
    await lockTeam(sql, teamId);
    const existing = await findByDomain(sql, teamId, domain);
    if (existing) return new Answer(presentDomain(existing, spfInclude), { isRepeat: true });
    await checkQuota(sql, teamId, {
      name: 'sending_domains',
      limit: maxSendingDomains,
      count: sendingDomains.count,
    });
    const id = randomUUID();
    const { publicKey, privateKey } = await takeDkimKey();
    const row = await insertSendingDomain(sql, {
      team_id: teamId,
      id,
      domain,
      challenge: randomBytes(20).toString('hex'),
      dkim_selector: `onward-${cutText(id, 8)}`,
      dkim_public_key: publicKey,
      sealed_dkim_key: keyring.seal(privateKey, dkimKeySealContext(teamId, id)),
    });
    await signalJob(sql, sendingDomainJob, id, teamId);
    return presentDomain(row, spfInclude);
  },
});

export const getSendingDomain = endpoint({
  id: 'getSendingDomain',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a sending domain',
  description:
    'Returns one sending domain with the records to publish and the result of their last check. ' +
    'It has no side effects.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: SendingDomain,
  handle: async ({ sql, teamId, params, services: { config } }) =>
    presentDomain(
      await sendingDomains.require(sql, teamId, params.id),
      config.sending.domains.spfInclude,
    ),
});

export const verifySendingDomain = endpoint({
  id: 'verifySendingDomain',
  method: 'POST',
  path: `${path}/{id}/verify`,
  summary: 'Verify the DNS records of a sending domain now',
  description:
    'Requests a check of the DNS records of a sending domain without waiting for the next one. ' +
    'The check runs in the background. Get the domain until last_checked_at has changed. ' +
    'Verified domains can be checked as well.',
  errors: ['precondition_failed'],
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'sending_domain.check_requested',
  status: 202,
  response: SendingDomain,
  async handle({ sql, teamId, params: { id }, checkPrecondition, services: { config } }) {
    checkPrecondition(await sendingDomains.lock(sql, teamId, id));
    await requestCheck(sql, teamId, id);
    await signalJob(sql, sendingDomainJob, id, teamId);
    return presentDomain(
      await sendingDomains.require(sql, teamId, id),
      config.sending.domains.spfInclude,
    );
  },
});

export const deleteSendingDomain = endpoint({
  id: 'deleteSendingDomain',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a sending domain',
  description:
    'Deletes a sending domain and its private key permanently. E-mails from it that are not sent ' +
    'yet are skipped with the reason sender_not_verified. A domain that is added again gets ' +
    'other records.',
  tag,
  scope: 'partner:sending_domains:delete',
  rateClass: 'write',
  audit: 'sending_domain.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    checkPrecondition(await sendingDomains.lock(sql, teamId, id));
    await deleteSendingDomainRow(sql, teamId, id);
    await signalJob(sql, sendingDomainJob, id, teamId);
    return undefined;
  },
});

export const sendingDomainEndpoints = [
  listSendingDomains,
  createSendingDomain,
  getSendingDomain,
  verifySendingDomain,
  deleteSendingDomain,
];
