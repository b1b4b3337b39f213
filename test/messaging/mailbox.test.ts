import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { insertMailboxMessages, pruneMailbox } from '../../src/messaging/dev-mailbox/queries.ts';
import { startTestApi } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

const hostile = '<script>alert("x")</script>';

async function kept(teamId: string, subject = 'Hello'): Promise<string> {
  const id = randomUUID();
  const content = {
    channel: 'email',
    to: 'ada@example.com',
    subject,
    text: `text ${hostile}`,
    from: { name: hostile, address: 'bank@example.com' },
    html: `<p>"Dear" Ada</p>${hostile}`,
  } as const;
  const message = { team_id: teamId, id, contact_id: null, channel: 'email', content } as const;
  await api.db.database.transact((sql) =>
    insertMailboxMessages(sql, [{ ...message, recipient: 'ada@example.com' }]),
  );
  return id;
}

test('the mailbox lists sent messages, optionally of one team, and executes none of their content', async () => {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  const id = await kept(team.id, `Ours ${hostile}`);
  await kept(other.id, 'Theirs');
  const all = await api.call('GET', '/mailbox');
  expect(all.body).toContain('Theirs');
  const ours = await api.call('GET', `/mailbox?team=${team.id}`);
  expect(ours.body).toContain(`href="/mailbox/${id}"`);
  expect(ours.body).not.toContain('Theirs');
  const message = await api.call('GET', `/mailbox/${id}`);
  expect(message.body).toContain(
    '<iframe sandbox title="Message" srcdoc="&lt;p&gt;&quot;Dear&quot;',
  );
  for (const page of [ours, message]) {
    expect(page.body).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  expect((await api.call('GET', `/mailbox/${randomUUID()}`)).status).toBe(404);
  expect((await api.call('GET', '/mailbox/no-id')).status).toBe(404);
});

test('the mailbox names teams, filters by recipient, and shows text and source of a mail', async () => {
  const team = await api.newTeam();
  const id = await kept(team.id, 'About you');
  const list = `/mailbox?team=${team.id}`;
  const shown = await api.call('GET', `${list}&to=ADA@`);
  expect(shown.body).toMatch(/<time datetime="[^"]+" title="20[^"]+Z">now<\/time>/);
  expect(shown.body).toContain('</span> Test</span>');
  expect((await api.call('GET', `${list}&to=nobody`)).body).toContain('No message fits.');
  expect((await api.call('GET', `${list}&to=%25`)).body).toContain('No message fits.');
  expect((await api.call('GET', `${list}&live=on`)).body).toContain('http-equiv="refresh"');
  const text = await api.call('GET', `/mailbox/${id}?view=text`);
  expect(text.body).toContain('<pre>text &lt;script&gt;');
  const source = await api.call('GET', `/mailbox/${id}?view=source`);
  expect(source.body).toContain('<pre>&lt;p&gt;&quot;Dear&quot; Ada&lt;/p&gt;');
  expect(`${text.body}${source.body}`).not.toContain('<iframe');
});

test('a message that is sent again is stored once, and deleted after a week', async () => {
  const { id: teamId } = await api.newTeam();
  const id = await kept(teamId);
  const rows = () =>
    api.db.look((sql) => sql`select id from mailbox_messages where team_id = ${teamId}`);
  const content = { channel: 'sms', to: '+14155550100', body: 'Again' } as const;
  await api.db.database.transact((sql) =>
    insertMailboxMessages(sql, [
      { team_id: teamId, id, contact_id: null, channel: 'sms', recipient: content.to, content },
    ]),
  );
  expect(await rows()).toEqual([{ id }]);
  expect(await api.db.database.read((sql) => pruneMailbox(sql, 100))).toBe(0);
  await api.db.look(
    (sql) => sql`
      update mailbox_messages set inserted_at = now() - interval '8 days' where id = ${id}`,
  );
  expect(await api.db.database.read((sql) => pruneMailbox(sql, 100))).toBe(1);
});

test('a message with a code is neither shown nor retained after the code expires', async () => {
  const { id: teamId } = await api.newTeam();
  const id = randomUUID();
  const content = { channel: 'sms', to: '+14155550100', body: '123456 is your code' } as const;
  const about = { team_id: teamId, contact_id: null, channel: 'sms' } as const;
  const expires_at = new Date(Date.now() - 1_000).toISOString();
  const message = { ...about, id, recipient: content.to, content, expires_at };
  await api.db.database.transact((sql) => insertMailboxMessages(sql, [message]));
  expect((await api.call('GET', `/mailbox?team=${teamId}`)).body).not.toContain('123456');
  expect((await api.call('GET', `/mailbox/${id}`)).status).toBe(404);
  await kept(teamId);
  const rows = await api.db.look(
    (sql) => sql`select from mailbox_messages where team_id = ${teamId} and id = ${id}`,
  );
  expect(rows).toEqual([]);
});

test('a service without MAILBOX_PAGE answers 404', async () => {
  const closed = await startTestApi({ MAILBOX_PAGE: 'false' });
  expect((await closed.call('GET', '/mailbox')).status).toBe(404);
  await closed.stop();
});
