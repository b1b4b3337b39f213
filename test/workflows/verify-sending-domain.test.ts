import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { startNameServer, textRecord } from '../../src/local/name-server.ts';
import type { NameServer } from '../../src/local/name-server.ts';
import { aReader, aSendingTemplate, anEmail, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { anUnboundedTeam, startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { sendingDomainJob } from '../../workflows/jobs.ts';

const path = '/v2/partner/sending-domains';
/** Published records; a name with undefined is one whose servers do not answer. */
const zone = new Map<string, string | undefined>();
let names: NameServer;
let service: SendingService;
let connection: Connection;
let client: Client;
let team: TestTeam;

beforeAll(async () => {
  names = await startNameServer((name) => {
    if (zone.has(name) && zone.get(name) === undefined) throw new Error('The zone is silent.');
    const text = zone.get(name);
    return text === undefined ? undefined : [textRecord(name, text)];
  });
  service = await startSendingService({
    SENDING_DNS_SERVERS: names.address,
    SENDING_DOMAIN_RECHECK_SECONDS: '2',
    SENDING_SPF_INCLUDE: 'include:spf.onward.test',
    SENDING_EXAMPLE_DOMAINS: 'false',
  });
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  client = new Client({ connection, namespace: service.worker.namespace });
  team = await anUnboundedTeam(service.api);
});
afterAll(async () => {
  await connection.close();
  await service.stop();
  names.close();
});

interface Domain {
  id: string;
  status: string;
  dns_records: { purpose: string; name: string; value: string; status: string }[];
}

async function addDomain(of: TestTeam, domain: string): Promise<Domain> {
  const { status, body } = await of.post(path, { domain });
  expect(status).toBe(201);
  return body;
}

const publish = ({ dns_records: records }: Domain) => {
  for (const { name, value } of records) zone.set(name, value);
};

/** The domain once it has a status. */
const once = (of: TestTeam, { id }: Domain, status: string): Promise<Domain> =>
  eventually(
    async () => (await of.get(`${path}/${id}`)).body,
    (domain: Domain) => domain.status === status,
  );

const handleOf = ({ id }: Domain) => client.workflow.getHandle(jobId(sendingDomainJob, id));

async function write(of: TestTeam, from: string) {
  const template = await of.post('/v2/partner/templates', { name: 'A template' });
  const message = { ...anEmail, from_email: from };
  return of.post(`/v2/partner/templates/${String(template.body.id)}/messages`, message);
}

async function delivered(templateId: string, status: string) {
  const [delivery] = await eventually(
    () => deliveriesOf(team, templateId),
    ([one]) => one?.status === status,
  );
  return delivery;
}

test('only a team that controls a domain sends from it, with a signature that others verify', async () => {
  const subscription = await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://example.com/hook',
    event_types: ['sending_domain.*'],
  });
  expect(subscription.status).toBe(201);
  const refused = await write(team, 'hello@bank.test');
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toMatchObject([
    { code: 'sender_not_verified', meta: { pointer: '/from_email' } },
  ]);

  const domain = await addDomain(team, 'Bank.test');
  expect(domain).toMatchObject({ domain: 'bank.test', status: 'pending', is_signed: false });
  expect(domain.dns_records.map(({ purpose }) => purpose)).toEqual([
    ...['ownership', 'dkim', 'spf', 'dmarc'],
  ]);
  expect((await team.post(path, { domain: 'bank.test' })).status).toBe(200);
  // Another team adds the same domain, and sees its record only: that of the first proves nothing.
  const stranger = await service.api.newTeam();
  const strangers = await addDomain(stranger, 'bank.test');
  publish(domain);
  const verified = await once(team, domain, 'verified');
  expect(verified).toMatchObject({ is_signed: true });
  expect(verified.dns_records.map(({ status }) => status)).toEqual(Array(4).fill('found'));

  expect((await write(team, 'hello@mail.bank.test')).status).toBe(201);
  expect((await write(team, 'hello@evilbank.test')).status).toBe(422);
  const checked = await stranger.post(`${path}/${strangers.id}/verify`);
  expect(checked.status).toBe(202);
  await eventually(
    async () => (await stranger.get(`${path}/${strangers.id}`)).body as Domain,
    ({ dns_records: [ownership] }) => ownership?.status === 'different',
  );
  expect((await write(stranger, 'hello@bank.test')).status).toBe(422);

  const template = await aSendingTemplate(team, [{ ...anEmail, from_email: 'hello@bank.test' }]);
  const email = 'ada@reader.test';
  await enrolled(team, template, [await aReader(team, { email })]);
  await delivered(template.id, 'sent');
  const [mail] = service.mailsTo(email);
  const { results } = await dkimVerify(mail?.source ?? '', {
    resolver: (name: string) => Promise.resolve([[zone.get(name) ?? '']]),
  });
  expect(results).toMatchObject([
    { signingDomain: 'bank.test', status: { result: 'pass', aligned: 'bank.test' } },
  ]);

  const events = await team.db.look(
    (sql) => sql<{ type: string }[]>`
      select type from webhook_events where team_id = ${team.id} and type like 'sending_domain%'`,
  );
  expect(events.map(({ type }) => type)).toEqual(['sending_domain.verified']);
  expect((await team.delete(`${path}/${domain.id}`)).status).toBe(204);
  expect(await handleOf(domain).result()).toEqual({ outcome: 'deleted' });
  expect((await write(team, 'hello@bank.test')).status).toBe(422);
});

test('a domain whose record disappears sends nothing until it is back; silence proves nothing', async () => {
  const domain = await addDomain(team, 'union.test');
  publish(domain);
  await once(team, domain, 'verified');
  const template = await aSendingTemplate(team, [{ ...anEmail, from_email: 'hi@union.test' }]);
  const [ownership] = domain.dns_records;
  if (!ownership) throw new Error('The domain has no records.');
  const { name, value } = ownership;

  zone.set(name, undefined);
  await eventually(
    async () => (await team.get(`${path}/${domain.id}`)).body as Domain,
    ({ status, dns_records: [record] }) => {
      expect(status).toBe('verified');
      return record?.status === 'unknown';
    },
  );

  zone.delete(name);
  expect(await once(team, domain, 'failed')).toMatchObject({ failed_at: expect.any(String) });
  await enrolled(team, template, [await aReader(team)]);
  expect(await delivered(template.id, 'skipped')).toMatchObject({
    skip_reason: 'sender_not_verified',
  });
  expect((await write(team, 'hi@union.test')).status).toBe(422);

  zone.set(name, value);
  await once(team, domain, 'verified');
  const email = 'bob@reader.test';
  const again = await aSendingTemplate(team, [{ ...anEmail, from_email: 'hi@union.test' }]);
  await enrolled(team, again, [await aReader(team, { email })]);
  await delivered(again.id, 'sent');
  expect(service.mailsTo(email)).toHaveLength(1);
});

test('a domain whose workflow was terminated is checked on', async () => {
  const domain = await addDomain(team, 'credit.test');
  await eventually(
    async () => (await team.get(`${path}/${domain.id}`)).body as Domain,
    ({ dns_records: [ownership] }) => ownership?.status === 'missing',
  );
  await handleOf(domain).terminate('by an operator');
  publish(domain);
  // Overdue for longer than a check takes.
  await team.db.look(
    (sql) => sql`
      update sending_domains set next_check_at = now() - interval '10 minutes'
      where team_id = ${team.id} and id = ${domain.id}`,
  );
  await once(team, domain, 'verified');
});
