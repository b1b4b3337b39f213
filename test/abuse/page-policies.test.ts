import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { teamPages } from '../../src/meta/local-pages/pages.ts';
import { insertMailboxMessages } from '../../src/messaging/dev-mailbox/queries.ts';
import { contentPolicy } from '../../src/platform/http/security-headers.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply } from '../support/api.ts';
import { aFormPage, sendForm } from '../widget/a-form.ts';
import { aWidget, widgetInstances } from '../widget/a-widget.ts';

const api = useTestApi();

const isPage = ({ headers }: Reply) => headers.get('content-type')?.startsWith('text/html');

/** The directives of a policy by their names. */
const directivesOf = ({ headers }: Reply) =>
  new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

/** One page of each kind. */
async function everyPage(): Promise<Map<string, Reply>> {
  const team = await api.newTeam();
  const form = await aFormPage(team);
  const widget = await team.get(`${widgetInstances}/${await aWidget(team)}`);
  const messageId = randomUUID();
  const content = { channel: 'sms', to: '+14155550100', body: 'Hello' } as const;
  const message = { team_id: team.id, id: messageId, contact_id: null, channel: 'sms', content };
  await api.db.database.transact((sql) =>
    insertMailboxMessages(sql, [{ ...message, channel: 'sms', recipient: content.to }]),
  );
  const paths = [
    ...['/docs/errors/not_found', '/docs/requests'],
    ...Object.keys(teamPages).map((name) => `/${name}`),
    ...['/mailbox', `/mailbox/${messageId}`, '/journey'],
    ...[
      '/unsubscribe/unknown',
      '/t/c/unknown',
      '/preferences/unknown',
      '/confirm/unknown',
      `/p/${team.id}/nothing-here`,
    ],
    ...[form.path, `${form.path}?sent=${form.formKey}`],
    `/widget/${String(widget.body.publishable_key)}`,
  ];
  const pages = new Map<string, Reply>();
  for (const path of paths) pages.set(path, await api.call('GET', path));
  pages.set('POST without a proof', await sendForm(api, form, { email: 'ada@example.com' }));
  pages.set('POST of an unknown link', await api.call('POST', `/unsubscribe/${randomUUID()}`));
  return pages;
}

test('injected markup in a page cannot change the target of its links or load a plugin', async () => {
  const pages = await everyPage();
  for (const [path, reply] of pages) {
    const {
      'base-uri': base,
      'object-src': object,
      'default-src': rest,
    } = Object.fromEntries(directivesOf(reply));
    expect([path, isPage(reply), base, object, rest]).toEqual([
      ...[path, true, "'none'", "'none'", "'none'"],
    ]);
  }
});

test('injected markup in a page cannot send a form elsewhere', async () => {
  for (const [path, reply] of await everyPage()) {
    const target = directivesOf(reply).get('form-action') ?? 'anywhere';
    expect([path, ["'none'", "'self'"].includes(target)]).toEqual([path, true]);
  }
});

test('a page runs scripts only from this service, and only if it contains one', async () => {
  for (const [path, reply] of await everyPage()) {
    const hasScript = String(reply.body).includes('<script');
    const scripts = directivesOf(reply).get('script-src');
    expect([path, scripts]).toEqual([path, hasScript ? "'self'" : undefined]);
  }
});

test('an allowed origin of a widget writes no directive into the policy of its pages', async () => {
  const team = await api.newTeam();
  for (const origin of [
    'https://a.com;report-uri',
    'https://b.com,',
    "https://c.com'",
    'https://d.com"',
    'https://e.com$',
  ]) {
    const { status, body } = await team.post(widgetInstances, {
      name: 'Widget',
      widget_kind: 'journey',
      allowed_origins: [origin],
    });
    expect([origin, status, body.errors?.[0].meta.pointer]).toEqual([
      ...[origin, 422, '/allowed_origins/0'],
    ]);
  }
  // One from before the rule.
  const id = await aWidget(team);
  const { body: widget } = await team.get(`${widgetInstances}/${id}`);
  await api.db.look(
    (sql) => sql`
      update widget_instances
      set allowed_origins = '{https://a.com;script-src,https://bank.example.com}'
      where team_id = ${team.id} and id = ${id}`,
  );
  const page = await api.call('GET', `/widget/${String(widget.publishable_key)}`);
  expect(page.status).toBe(200);
  expect(directivesOf(page).get('frame-ancestors')).toBe('https://bank.example.com');
});

test('no policy is built of a source that holds another directive', () => {
  for (const source of ["'self'; script-src *", "'self',", "'self'\r\nX-Evil: 1", '']) {
    expect(() => contentPolicy({ 'connect-src': source })).toThrow('no policy can hold');
  }
});
