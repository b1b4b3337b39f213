import { expect, test } from '@jest/globals';
import { aRequestable, anOrder } from '../messaging/a-requested-send.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// Each resource accepts both forms of an internationalized address, and stores the same one.

const api = useTestApi();
const written = 'Ada@Bücher.example';
const stored = 'Ada@xn--bcher-kva.example';
const contacts = '/v2/partner/contacts';

async function made(team: TestTeam, path: string, body: object): Promise<any> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

const idsOf = async (team: TestTeam, query: string) =>
  (await team.get(query)).body.data.map(({ id }: { id: string }) => id);

test('a contact is found by both forms of its address', async () => {
  const team = await api.newTeam();
  const contact = await made(team, contacts, { email: written });
  expect(contact.email).toBe(stored);
  for (const form of [written, stored, 'ada@BÜCHER.example', 'ada@XN--bcher-kva.example']) {
    const value = encodeURIComponent(form);
    expect(await idsOf(team, `${contacts}?filter[email]=${value}`)).toEqual([contact.id]);
    expect(await idsOf(team, `${contacts}?filter[email][in]=x@example.com,${value}`)).toEqual([
      contact.id,
    ]);
    const { body } = await team.post('/v2/partner/cohorts/preview', {
      definition: { field: 'contact.email', op: 'in', value: [form] },
    });
    expect(body.count).toBe(1);
    const found = await team.post('/v2/ipaas/operations/contacts.lookup/execute', {
      items: [{ email: form }],
    });
    expect(JSON.stringify(found.body)).toContain(contact.id);
  }
  const ending = encodeURIComponent('@bücher.example');
  expect(await idsOf(team, `${contacts}?filter[email][ends_with]=${ending}`)).toEqual([contact.id]);
  const changed = await team.patch(`${contacts}/${String(contact.id)}`, { email: written });
  expect(changed.body).toEqual(contact);
});

test('suppressions, users and test recipients store the same form', async () => {
  const team = await api.newTeam();
  const { id } = await made(team, contacts, { email: stored });
  const suppression = await made(team, '/v2/partner/suppressions', {
    channel: 'email',
    address: written,
    reason: 'complaint',
  });
  expect(suppression.address).toBe(stored);
  expect((await team.get(`${contacts}/${String(id)}`)).body.email_status).toBe('complained');
  const value = encodeURIComponent(written);
  expect(await idsOf(team, `/v2/partner/suppressions?filter[address]=${value}`)).toEqual([
    suppression.id,
  ]);
  const user = await made(team, '/v2/partner/users', { email: written, role: 'viewer' });
  expect(user.email).toBe(stored);
  const again = await team.post('/v2/partner/users', { email: stored, role: 'viewer' });
  expect(again.status).toBe(409);
  const recipient = { channel: 'email', name: 'Grace' };
  const path = '/v2/partner/test-recipients';
  const first = await made(team, path, { ...recipient, address: 'grace@bücher.example' });
  const second = await team.post(path, { ...recipient, address: 'grace@xn--bcher-kva.example' });
  expect([second.status, second.body.id]).toEqual([200, first.id]);
});

test('a send by an address finds the contact of its stored form', async () => {
  const team = await api.newTeam();
  const { id } = await made(team, contacts, { email: stored });
  const { path } = await aRequestable(team);
  const send = await made(team, path, { email: written, data: anOrder() });
  expect(send.contact_id).toBe(id);
});

test('domains of a team and of its senders are stored in ASCII', async () => {
  const team = await api.newTeam();
  const domains = '/v2/partner/sending-domains';
  const domain = await made(team, domains, { domain: 'Bücher.example' });
  expect(domain.domain).toBe('xn--bcher-kva.example');
  const again = await team.post(domains, { domain: 'xn--bcher-kva.example' });
  expect([again.status, again.body.id]).toEqual([200, domain.id]);
  const value = encodeURIComponent('bücher.example');
  expect(await idsOf(team, `${domains}?filter[domain]=${value}`)).toEqual([domain.id]);
  const patched = await team.patch('/v2/partner/team', {
    tracking: { opens: true, clicks: true, domain: 'links.bücher.example' },
  });
  expect(patched.body).toMatchObject({
    tracking: { domain: 'links.xn--bcher-kva.example' },
  });
});

test('the sender and the reply address of a message are stored in ASCII', async () => {
  const team = await api.newTeam();
  const { id: templateId } = await made(team, '/v2/partner/templates', { name: 'Welcome' });
  const message = await made(team, `/v2/partner/templates/${String(templateId)}/messages`, {
    name: 'Welcome',
    channel: 'email',
    subject: 'Hello',
    body_html: '<p>Hello</p>',
    from_email: 'Hello@bücher.example',
    reply_to: 'Answers@Пример.example',
  });
  expect(message).toMatchObject({
    from_email: 'Hello@xn--bcher-kva.example',
    reply_to: 'Answers@xn--e1afmkfd.example',
  });
  const same = await team.patch(`/v2/partner/messages/${String(message.id)}`, {
    from_email: 'Hello@BÜCHER.example',
  });
  expect(same.body.version).toBe(message.version);
});

test('an address that cannot be sent to is refused once, with what is wrong', async () => {
  const team = await api.newTeam();
  for (const email of ['.ada@example.com', 'jürgen@example.com', 'ad\u202ea@example.com']) {
    const { status, body } = await team.post(contacts, { email });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      expect.objectContaining({
        detail: expect.stringContaining(
          'email must be an e-mail address. It has at most 64 unaccented letters',
        ),
        meta: expect.objectContaining({ pointer: '/email', rule: 'format' }),
      }),
    ]);
  }
  const suppressed = { channel: 'email', address: 'a..b@example.com' };
  expect((await team.post('/v2/partner/suppressions', suppressed)).status).toBe(422);
  const domain = await team.post('/v2/partner/sending-domains', { domain: 'exa_mple.com' });
  expect(domain.body.errors[0].detail).toBe('domain must be a domain such as bank.example.');
});
