import { randomUUID } from 'node:crypto';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { failAll } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { masked } from '../../campaigns/messages/rules.ts';
import { lockTeam } from '../../team/queries.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { isSmsAllowed } from '../../team/rules.ts';
import { isAddressSuppressed } from '../../contacts/suppressions/suppressed-address.ts';
import { countNotice } from '../notices/budgets.ts';
import { insertNotice } from '../notices/queries.ts';
import { digestsOf, formProblem, normalized, testRecipientSealContext } from './address.ts';
import {
  countTestRecipients,
  deleteTestRecipientRow,
  findByDigest,
  insertTestRecipient,
  lockTestRecipient,
  renewLink,
  requireTestRecipient,
  testRecipientSource,
} from './queries.ts';
import {
  TestRecipient,
  TestRecipientCreate,
  maxTestRecipients,
  testRecipientListFields,
} from './test-recipient.ts';

const tag = 'Messages';
const path = '/v2/partner/test-recipients';

/** Messages with links that a team of the standard tier causes within a day. */
const linksPerDay = 100;

export const listTestRecipients = listEndpoint({
  id: 'listTestRecipients',
  path,
  summary: 'List the addresses that test sends may go to',
  description: 'Returns the test recipients of the team. Most of each address is hidden.',
  tag,
  scope: 'partner:messages:read',
  item: TestRecipient,
  fields: testRecipientListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => testRecipientSource(teamId),
});

export const createTestRecipient = endpoint({
  id: 'createTestRecipient',
  method: 'POST',
  path,
  summary: 'Add an address for test sends, and send it a confirmation link',
  description:
    'Adds an address that test sends may go to after its owner has confirmed it. The address ' +
    'gets one message with a link, which is valid for 7 days. An address that is known answers ' +
    '200; while it is pending, it gets the link again. The messages have daily limits; beyond ' +
    'them the answer is 429. A team has at most 100 test recipients, and pending ones are ' +
    'deleted after their link.',
  errors: ['quota_exceeded'],
  tag,
  scope: 'partner:messages:write',
  rateClass: 'write',
  audit: 'test_recipient.created',
  bodyExample: { channel: 'email', address: 'grace@example.com', name: 'Grace' },
  body: TestRecipientCreate,
  status: 201,
  repeatStatus: 200,
  response: TestRecipient,
  location: `${path}/{id}`,
  async handle({ sql, teamId, principal, body, request, services }) {
    const { keyring } = services;
    const { channel, name = null } = body;
    const misfit = formProblem(channel, body.address, '/address');
    if (misfit) throw failAll([misfit]);
    const address = normalized(channel, body.address);
    const { sms_allowed_prefixes: prefixes } = await lockTeam(sql, teamId);
    if (channel === 'sms' && !isSmsAllowed(address, prefixes)) {
      throw refused(
        'number_not_allowed',
        'The number begins with none of the sms_allowed_prefixes of the team.',
      );
    }
    if (await isAddressSuppressed(sql, keyring, { teamId, channel }, address)) {
      throw refused(
        'address_suppressed',
        'The address is suppressed. Lift the suppression only if its owner asks for it.',
      );
    }
    const digests = digestsOf(keyring, channel, address);
    const known = await findByDigest(sql, teamId, digests);
    if (known?.status === 'confirmed') return new Answer(known, { isRepeat: true });
    if (!known) {
      await checkQuota(sql, teamId, {
        name: 'test_recipients',
        limit: maxTestRecipients,
        count: countTestRecipients,
      });
    }
    const id = known?.id ?? randomUUID();
    const confirmation_id = randomUUID();
    const recipient = known
      ? await renewLink(sql, teamId, id, confirmation_id)
      : await insertTestRecipient(sql, teamId, {
          ...{ id, channel, name, confirmation_id },
          to_masked: masked(address),
          sealed_address: keyring.seal(address, testRecipientSealContext(teamId, id)),
          digest: digests[0],
        });
    const notice = { id: confirmation_id, notice: 'test_recipient', channel } as const;
    await insertNotice(sql, teamId, { ...notice, recipient_id: id });
    const { tier } = principal;
    await countNotice(sql, services, {
      ...{ teamId, tier, channel, to: address, from: request.address },
      ...{ rateClass: 'write', further: { subject: 'test recipients', most: linksPerDay } },
    });
    return known ? new Answer(recipient, { isRepeat: true }) : recipient;
  },
});

export const getTestRecipient = endpoint({
  id: 'getTestRecipient',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a test recipient',
  description:
    'Returns one test recipient. Test sends may go to it once its status is confirmed. It has ' +
    'no side effects.',
  tag,
  scope: 'partner:messages:read',
  rateClass: 'read',
  response: TestRecipient,
  handle: ({ sql, teamId, params }) => requireTestRecipient(sql, teamId, params.id),
});

export const deleteTestRecipient = endpoint({
  id: 'deleteTestRecipient',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a test recipient and its address',
  description:
    'Deletes a test recipient and its address permanently. Its confirmation link stops ' +
    'working, and waiting test sends to it are dropped.',
  tag,
  scope: 'partner:messages:delete',
  rateClass: 'write',
  audit: 'test_recipient.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const recipient = await lockTestRecipient(sql, teamId, params.id);
    checkPrecondition(recipient);
    await deleteTestRecipientRow(sql, teamId, recipient.id);
    return undefined;
  },
});

export const testRecipientEndpoints = [
  listTestRecipients,
  createTestRecipient,
  getTestRecipient,
  deleteTestRecipient,
];

function refused(rule: string, detail: string) {
  return failAll([{ code: 'validation_failed', detail, meta: { pointer: '/address', rule } }]);
}
