import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApi } from '../../../src/app/start-api.ts';
import { createAdmin } from '../../../src/commands/admin/program.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { noteAnswer } from '../../reach/record.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';

let api: TestApi;
const contacts = '/v2/partner/contacts';

beforeAll(async () => {
  api = await startTestApi({ TRUSTED_PROXIES: '1' });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
});
afterAll(() => api.stop());

function throwInsteadOfExit(command: ReturnType<typeof createAdmin>): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  for (const one of command.commands) throwInsteadOfExit(one);
}

async function admin(...args: string[]) {
  const lines: string[] = [];
  const program = createAdmin((line) => lines.push(line));
  throwInsteadOfExit(program);
  await program.parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
}
const setNetworks = ({ clientId }: TestTeam, ...networks: string[]) =>
  admin('clients', 'set-networks', clientId, ...networks);

const from = (address: string) => ({ 'X-Forwarded-For': address });
const read = ({ token }: TestTeam, address: string) =>
  api.call('GET', contacts, { headers: { Authorization: `Bearer ${token}`, ...from(address) } });

const getToken = ({ clientId, clientSecret }: TestTeam, address: string) =>
  api.call('POST', '/oauth2/token', {
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...from(address) },
  });

const inTime = (isSo: () => Promise<boolean>) => eventually(isSo, (is) => is, 10_000);

describe('a client with networks', () => {
  let team: TestTeam;
  beforeAll(async () => {
    team = await api.newTeam();
    expect((await read(team, '192.0.2.1')).status).toBe(200);
    await setNetworks(team, '203.0.113.0/24', '2001:db8::/48', '198.51.100.7');
    await inTime(async () => (await read(team, '192.0.2.1')).status === 401);
  });

  test.each([
    ['203.0.113.9', true],
    ['203.0.114.9', false],
    ['::ffff:203.0.113.9', true],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['2001:db8:0:ffff::1', true],
    ['2001:db8:1::1', false],
    // The address next to the proxy decides, whatever a caller writes before it.
    ['203.0.113.9, 192.0.2.1', false],
    ['no address', false],
  ])('from %s: %s, for its token and for a new one', async (address, isAllowed) => {
    const answered = await read(team, address);
    const issued = await getToken(team, address);
    expect([answered.status, issued.status]).toEqual(isAllowed ? [200, 200] : [401, 401]);
    if (isAllowed) return;
    expect(answered.body.errors[0].code).toBe('address_not_allowed');
    expect(answered.headers.get('www-authenticate')).toContain('invalid_token');
    // As for a wrong secret: who has a stolen one learns nothing.
    expect(issued.body.error).toBe('invalid_client');
  });

  test('a refused address spends nothing of the team, and is in its audit trail', async () => {
    const other = await startApi(api.config, api.keyring, createLog('silent', 'test'), {
      onAnswer: noteAnswer,
    });
    const reply = await fetch(other.url + contacts, {
      headers: { Authorization: `Bearer ${team.token}`, ...from('192.0.2.44') },
    });
    expect([reply.status, reply.headers.get('ratelimit')]).toEqual([401, null]);
    // Refusals are counted for a minute, or until the process ends.
    await other.close();
    const events = await auditOf(team, '203.0.113.9');
    expect(events.map(({ reason, source_ip }: any) => [reason, source_ip])).toContainEqual([
      ...['address_not_allowed', '192.0.2.44'],
    ]);
  });

  test('a portal session of the client opens elsewhere, for the person it was made for', async () => {
    const made = await api.call('POST', '/v2/partner/portal-sessions', {
      body: { scopes: ['partner:contacts:read'] },
      headers: { Authorization: `Bearer ${team.token}`, ...from('203.0.113.9') },
    });
    expect(made.status).toBe(201);
    const [, id, secret] = /portal\/([^/]+)\/[^#]+#(.+)$/.exec(made.body.url) ?? [];
    const opened = await api.call('POST', `/v2/partner/portal-sessions/${String(id)}/open`, {
      body: { secret },
      headers: from('192.0.2.1'),
    });
    expect(opened.status).toBe(200);
    const reply = await read({ ...team, token: opened.body.access_token }, '192.0.2.1');
    expect(reply.status).toBe(200);
  });

  test('a client of another team is not affected', async () => {
    expect((await read(await api.newTeam(), '192.0.2.1')).status).toBe(200);
  });

  test('every address is allowed again within seconds', async () => {
    await setNetworks(team, '--any');
    await inTime(async () => (await read(team, '192.0.2.1')).status === 200);
    expect((await getToken(team, '192.0.2.1')).status).toBe(200);
  });
});

const auditOf = async ({ token }: TestTeam, address: string): Promise<any[]> =>
  (
    await api.call('GET', '/v2/partner/audit-events', {
      headers: { Authorization: `Bearer ${token}`, ...from(address) },
    })
  ).body.data;

test('networks are shown in one spelling, without bits of hosts and repeats', async () => {
  const team = await api.newTeam();
  const shown = await setNetworks(team, '10.1.2.3/8', '10.0.0.0/8', '2001:DB8::5/32', '::1');
  expect(shown.networks).toEqual(['10.0.0.0/8', '2001:db8::/32', '::1/128']);
  const mapped = await setNetworks(team, '::ffff:10.0.0.0/104', '::ffff:192.0.2.1');
  expect(mapped.networks).toEqual(['10.0.0.0/8', '192.0.2.1/32']);
});

test.each([
  ['10.0.0.0/33'],
  ['example.com'],
  ['10.0.0'],
  ['2001:db8::/129'],
  [''],
  ['010.0.0.1'],
  ['10/8'],
  ['0x7f.1'],
  ['fe80::1%eth0/64'],
  ['10.0.0.0/-1'],
])('the network %p is refused', async (network) => {
  const team = await api.newTeam();
  await expect(setNetworks(team, network)).rejects.toThrow();
  expect((await read(team, '192.0.2.1')).status).toBe(200);
});

test('a command without networks changes nothing', async () => {
  const team = await api.newTeam();
  await expect(setNetworks(team)).rejects.toThrow('Name the networks');
  await expect(setNetworks(team, '10.0.0.0/8', '--any')).rejects.toThrow('Name the networks');
  expect((await read(team, '192.0.2.1')).status).toBe(200);
});
