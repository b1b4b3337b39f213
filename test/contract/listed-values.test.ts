import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { blocksOfEachKind } from '../campaigns/a-block.ts';
import { bodies } from '../messaging/a-sending-provider.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { fieldsOf, isJson } from './json-schema.ts';
import type { Node } from './json-schema.ts';
import { sampleOf } from './samples.ts';
import { scopedEndpoints } from './scoped.ts';

/** Each allowed value of a field of a new resource is stored, and shown as it was sent. */
const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

function listedBy({ enum: values, anyOf = [] }: Node): string[] {
  return [...(values?.map(String) ?? []), ...anyOf.flatMap(listedBy)];
}

const noAccount = { account: undefined, senders: undefined };
const families = ['email_a', 'email_b', 'email_c'];

/** Fields that a value requires, by operation, field and value. */
const companions: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    blocksOfEachKind.map(({ kind, body }) => [`createContentBlock kind ${kind}`, { body }]),
  ),
  ...Object.fromEntries(
    Object.entries(bodies).map(([kind, body]) => [
      `createSendingProvider kind ${kind}`,
      { ...noAccount, ...body() },
    ]),
  ),
  ...Object.fromEntries(
    families.map((family) => [`createSendingProvider family ${family}`, bodies.smtp()]),
  ),
  'createSendingProvider channel email': { ...noAccount, ...bodies.email_b() },
  'createSendingProvider channel push': { ...noAccount, ...bodies.push_b() },
  'createSuppression channel email': { contact_id: undefined, address: 'ada@example.com' },
  'createSuppression channel sms': { contact_id: undefined, address: '+4915112345678' },
  'createCohort kind static': { definition: undefined },
  'createFileSource source_kind sftp': {
    ...{ bearer_token: undefined, username: 'bank', password: 'a password of the bank' },
    host_key_fingerprints: [`SHA256:${'A'.repeat(43)}`],
  },
  'createTestRecipient channel sms': { address: '+4915112345679' },
  'createTemplate reentry after_interval': { reentry_interval: 'P30D' },
};

const shows = ({ response }: Endpoint, field: string) =>
  isJson(response) && isJson(response['properties']) && field in response['properties'];
const cases = scopedEndpoints
  .filter(([, { method, status }]) => method === 'POST' && status === 201)
  .flatMap(([id, endpoint]) =>
    fieldsOf(endpoint)
      .writable.filter(([field]) => shows(endpoint, field))
      .flatMap(([field, schema]) =>
        listedBy(schema).map((value) => ({ id, endpoint, field, value })),
      ),
  );

describe('a listed value is stored and shown', () => {
  test.each(cases)('$id: $field = $value', async ({ id, endpoint, field, value }) => {
    const { path, headers, body } = await sampleOf(team, endpoint);
    const sent = { ...Object(body), [field]: value, ...companions[`${id} ${field} ${value}`] };
    const made = await team.post(path, sent, headers);
    expect(made.body).toMatchObject({ [field]: value });
    expect(made.status).toBe(201);
  });
});
