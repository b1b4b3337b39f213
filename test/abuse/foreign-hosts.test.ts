import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi } from '../../src/app/start-api.ts';
import type { ApiProcess } from '../../src/app/start-api.ts';
import { trackedUrls } from '../../src/messaging/tracking/token.ts';
import type { LinkPlace } from '../../src/messaging/tracking/token.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createTeamStates } from '../../src/platform/http/team-states.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { sendRaw } from '../contract/raw-http.ts';
import { noteAnswer } from '../reach/record.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi({ UNAUTHENTICATED_BURST: '1000000' });
const target = 'https://phish.example.net/login';
const teamPath = '/v2/partner/team';

/** The same service in the form of production. */
let production: ApiProcess;
beforeAll(async () => {
  const { hosts } = readConfig(
    { development: false },
    {
      ...{ PUBLIC_BASE_URL: 'https://onward.test', PUBLIC_HOSTS: 'onward-api, [::7]' },
      ...{ TRUSTED_PROXIES: '1', ONWARD_KEYS: '{}', TEMPORAL_ADDRESS: '127.0.0.1:7233' },
      DATABASE_URL: 'postgres://app:a-long-password-for-tests@127.0.0.1/onward',
    },
  );
  const config = { ...api.config, hosts };
  production = await startApi(config, api.keyring, createLog('silent', 'api'), {
    onAnswer: noteAnswer,
  });
});
afterAll(() => production.close());

interface Answer {
  status: number | undefined;
  location: string | undefined;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => {
  agent.destroy();
});

/** Requests to different hosts share one connection. */
function ask(Host: string, path: string, { url = api.url, method = 'GET', headers = {} } = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const options = { agent, method, headers: { ...headers, Host } };
    const call = request(`${url}${path}`, options, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => (text += part));
      reply.on('end', () => {
        const { statusCode: status, headers: received } = reply;
        resolve({ status, location: received.location, text });
      });
    });
    call.on('error', reject).end();
  });
}

/** A team with a tracking host that the process knows. */
async function aBank(): Promise<{ team: TestTeam; domain: string; link: string }> {
  const team = await api.newTeam();
  const domain = `links-${randomUUID()}.example`;
  const tracking = { opens: true, clicks: true, domain };
  expect((await team.patch(teamPath, { tracking })).status).toBe(200);
  const link = linkOf(team, { baseUrl: '', domain });
  await eventually(
    () => ask(domain, link),
    ({ status }) => status === 302,
  );
  return { team, domain, link };
}

const linkOf = ({ id }: TestTeam, place: LinkPlace, to = target, inserted = new Date()) =>
  trackedUrls({ ...place, baseUrl: '' }, api.keyring, {
    ...{ team_id: id, id: randomUUID(), inserted_at: inserted.toISOString() },
  }).click(to);

const service = { baseUrl: '' };

async function aPublishedPage(team: TestTeam): Promise<string> {
  const html = '<p>Card number and PIN, please.</p>';
  const block = { name: 'Login', key: `b-${randomUUID()}`, kind: 'rich_text', body: { html } };
  const { body } = await team.post('/v2/partner/content-blocks', block);
  const page = await team.post('/v2/partner/landing-pages', {
    ...{ name: 'Login', slug: `login-${randomUUID()}`, title: 'Log in' },
    content_block_ids: [body.id],
  });
  const published = await team.post(`/v2/partner/landing-pages/${String(page.body.id)}/publish`);
  expect(published.body.status).toBe('published');
  return String(page.body.slug);
}

test('a tenant cannot lead people on from the tracking host of a bank', async () => {
  const bank = await aBank();
  const other = await aBank();
  const team = await api.newTeam();
  const foreign = [
    linkOf(team, service),
    linkOf(other.team, service),
    other.link,
    // Signed for the host of the bank, as no process would.
    linkOf(team, { baseUrl: '', domain: bank.domain }),
    // The bank's own, but for the host of the service.
    linkOf(bank.team, service),
  ];
  for (const path of foreign) {
    const answer = await ask(bank.domain, path);
    expect([path, answer.status, answer.location]).toEqual([path, 421, undefined]);
    expect(answer.text).not.toContain('phish');
  }
  expect(await ask(bank.domain, bank.link)).toMatchObject({ status: 302, location: target });
  expect(await ask('onward.test', linkOf(team, service))).toMatchObject({ status: 302 });
  expect(await ask('onward.test', bank.link)).toMatchObject({ status: 404, location: undefined });
});

test('a tenant cannot show a page at the tracking host of a bank', async () => {
  const { team: owner, domain } = await aBank();
  const team = await api.newTeam();
  for (const one of [team, owner]) {
    const slug = await aPublishedPage(one);
    const path = `/p/${one.id}/${slug}`;
    expect(await ask('onward.test', path)).toMatchObject({ status: 200 });
    const answer = await ask(domain, path);
    expect([answer.status, answer.text]).toEqual([
      421,
      expect.stringContaining('misdirected_request'),
    ]);
    expect(await ask(domain, path, { method: 'POST' })).toMatchObject({ status: 421 });
  }
  const headers = { Authorization: `Bearer ${owner.token}` };
  for (const path of ['/', '/docs', '/journey', '/widget.js', '/insights', '/mailbox', '/nowhere'])
    expect([path, (await ask(domain, path)).status]).toEqual([path, 421]);
  for (const path of [teamPath, '/v2/meta/time', '/oauth2/token', '/v1/contacts', '/unsubscribe/x'])
    expect([path, (await ask(domain, path, { headers })).status]).toEqual([path, 421]);
});

test('a bank has its tracking host alone, and no tenant can take one that it has not proven', async () => {
  const { domain } = await aBank();
  const team = await api.newTeam();
  const tracking = { opens: true, clicks: true, domain };
  const taken = await team.patch(teamPath, { tracking });
  expect([taken.status, taken.body.errors[0].code]).toEqual([409, 'domain_taken']);
  expect(taken.body.errors[0].meta.pointer).toBe('/tracking/domain');
  const ofService = await team.patch(teamPath, {
    tracking: { ...tracking, domain: 'onward.test' },
  });
  expect([ofService.status, ofService.body.errors[0].code]).toEqual([409, 'domain_taken']);
  const unproven = { ...tracking, domain: 'links.real-bank.com' };
  expect((await team.patch(teamPath, { tracking: unproven })).status).toBe(422);
});

test('a team that has lost its proof neither redirects at the host nor keeps it from the bank', async () => {
  const [agency, bank] = [await api.newTeam(), await api.newTeam()];
  const domain = `links.${randomUUID()}.com`;
  const tracking = { opens: false, clicks: true, domain };
  const prove = (team: TestTeam, status: string) =>
    api.db.look(
      (sql) => sql`
        insert into sending_domains (team_id, domain, status, challenge, dkim_selector,
          dkim_public_key)
        values (${team.id}, ${domain.replace('links.', '')}, ${status}, 'x', 'x', 'x')
        on conflict (team_id, domain) where deleted_at is null do update set status = ${status}`,
    );
  await prove(agency, 'verified');
  await prove(bank, 'verified');
  expect((await agency.patch(teamPath, { tracking })).status).toBe(200);
  const link = linkOf(agency, { baseUrl: '', domain });
  await untilTrue(async () => (await ask(domain, link)).status === 302);
  expect((await bank.patch(teamPath, { tracking })).status).toBe(409);

  await prove(agency, 'failed');
  await untilTrue(async () => (await ask(domain, link)).status === 421);
  expect((await bank.patch(teamPath, { tracking })).body.tracking).toEqual(tracking);
  const { body } = await agency.get(teamPath);
  expect(body.tracking).toEqual({ opens: false, clicks: true });
  const { body: trail } = await agency.get('/v2/partner/audit-events?filter[action]=team.updated');
  expect(trail.data[0]).toMatchObject({ changed_fields: ['tracking'], actor: 'service' });
  await untilTrue(
    async () => (await ask(domain, linkOf(bank, { baseUrl: '', domain }))).status === 302,
  );
});

test('a name of others that leads to the service gets nothing of it', async () => {
  const team = await api.newTeam();
  const slug = await aPublishedPage(team);
  const paths = [
    `/p/${team.id}/${slug}`,
    '/mailbox',
    '/docs',
    '/v2/meta/time',
    linkOf(team, service),
  ];
  for (const url of [api.url, production.url]) {
    for (const path of paths) {
      expect([path, (await ask('evil.example', path, { url })).status]).toEqual([path, 421]);
      const forwarded = { 'X-Forwarded-Host': 'onward.test', Forwarded: 'host=onward.test' };
      const answer = await ask('evil.example', path, { url, headers: forwarded });
      expect([path, answer.status]).toEqual([path, 421]);
    }
  }
  const inDevelopment = ['localhost', 'localhost:1234', '127.0.0.1', '127.9.9.9:80', '[::1]:3000'];
  for (const host of inDevelopment) {
    expect([host, (await ask(host, '/v2/meta/time')).status]).toEqual([host, 200]);
    const { status } = await ask(host, '/v2/meta/time', { url: production.url });
    expect([host, status]).toEqual([host, 421]);
  }
});

test('the names of the service are known in every spelling, and no others', async () => {
  const { url } = production;
  const known = ['onward.test', 'ONWARD.test:443', 'onward.test.', 'onward.test.:8443'];
  for (const host of [...known, 'onward-api', 'Onward-API:3000', '[0:0::7]']) {
    expect([host, (await ask(host, '/v2/meta/time', { url })).status]).toEqual([host, 200]);
  }
  const unknown = ['xn--nward-jua.test', 'onward.test.evil.example', 'a.onward.test', '10.0.0.1'];
  for (const host of [...unknown, 'onward.test..', '2130706433', '[::8]']) {
    expect([host, (await ask(host, '/v2/meta/time', { url })).status]).toEqual([host, 421]);
  }
  const noNames = [
    'onward.test:x',
    'user@onward.test',
    'onward.test/x',
    'önward.test',
    'a b',
    '[x]',
  ];
  for (const host of noNames) {
    const raw = `GET /v2/meta/time HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const { status, body } = await sendRaw(url, Buffer.from(raw));
    expect([host, status, body.errors[0].code]).toEqual([host, 400, 'invalid_request']);
  }
});

test('probes by an address, and without a host, are answered; everything else needs a host', async () => {
  for (const path of ['/healthz', '/readyz']) {
    for (const host of ['10.244.0.7:3000', 'evil.example', '']) {
      const { status } = await ask(host, path, { url: production.url });
      expect([path, host, status]).toEqual([path, host, 200]);
    }
    const probe = await sendRaw(production.url, `GET ${path} HTTP/1.0\r\n\r\n`);
    expect([path, probe.status]).toEqual([path, 200]);
  }
  const bare = 'GET /v2/meta/time HTTP/1.0\r\n\r\n';
  expect((await sendRaw(production.url, bare)).status).toBe(421);
  expect((await sendRaw(api.url, bare)).status).toBe(200);
});

test('made-up hosts cost no query each, and Postgres away takes no host along', async () => {
  let loads = 0;
  const states = {
    teamOfHost: new Map([['links.bank.example', 'bank']]),
    suspended: new Set<string>(),
    linkDays: new Map<string, number>(),
  };
  const load = () => {
    loads += 1;
    return Promise.reject(new Error('away'));
  };
  let nowMs = 0;
  const log = createLog('silent', 'api');
  const known = createTeamStates(states, load, log, () => nowMs);
  for (let at = 0; at < 1_000; at += 1) {
    expect((await known.current()).teamOfHost.has(`h${String(at)}.example`)).toBe(false);
  }
  expect(loads).toBe(0);
  nowMs = 6_000;
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => known.current()));
  expect(loads).toBe(1);
  for (const { teamOfHost } of answers) expect(teamOfHost.get('links.bank.example')).toBe('bank');
});

test('a link leads nowhere once it is older than thirteen months, or than its team allows', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const team = await api.newTeam();
  const at = async (days: number, host = 'onward.test') =>
    ask(host, linkOf(team, service, target, daysAgo(days)));
  expect(await at(394.9)).toMatchObject({ status: 302, location: target });
  const over = await at(395.1);
  expect([over.status, over.location]).toEqual([410, undefined]);
  expect(over.text).toContain('This link has ended');

  const tracking = { opens: true, clicks: true };
  for (const links_expire_after_days of [0, 396, 1.5]) {
    const wrong = { tracking: { ...tracking, links_expire_after_days } };
    expect((await team.patch(teamPath, wrong)).status).toBe(422);
  }
  const shorter = { tracking: { ...tracking, links_expire_after_days: 7 } };
  expect((await team.patch(teamPath, shorter)).body.tracking).toEqual(shorter.tracking);
  await untilTrue(async () => (await at(7.1)).status === 410);
  expect(await at(6.9)).toMatchObject({ status: 302 });
});
