import { expect, test } from '@jest/globals';
import { valuesFor } from '../../src/campaigns/rendering/audience.ts';
import { compose } from '../../src/messaging/send-queue/compose.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// A team sends from the shared address of the installation as if it were a bank.

const api = useTestApi({ SENDING_EXAMPLE_DOMAINS: 'true' });

async function send(team: TestTeam, fields: object) {
  const { body: template } = await team.post('/v2/partner/templates', { name: 'Welcome' });
  const { status, body } = await team.post(
    `/v2/partner/templates/${String(template.id)}/messages`,
    {
      ...{ name: 'Hello', channel: 'email', subject: 'Hello', body_text: 'Hello' },
      ...fields,
    },
  );
  return [status, ...(body.errors ?? []).map(({ code, meta }: any) => `${code} ${meta.pointer}`)];
}

test('a name of a sender that looks like an address is refused, in each language and variant', async () => {
  const team = await api.newTeam();
  for (const name of ['security@bank-a.com', 'Bank <info@bank-a.com>', 'info\uff20bank-a.com']) {
    expect([name, await send(team, { from_name: name })]).toEqual([
      ...[name, [422, 'validation_failed /from_name']],
    ]);
    const localizations = { de: { from_name: name } };
    expect([name, await send(team, { localizations })]).toEqual([
      ...[name, [422, 'validation_failed /localizations/de/from_name']],
    ]);
    const variants = [
      { key: 'a', weight: 1, overrides: {} },
      { key: 'b', weight: 1, overrides: { from_name: name } },
    ];
    expect([name, await send(team, { variants })]).toEqual([
      ...[name, [422, 'validation_failed /variants/1/overrides/from_name']],
    ]);
  }
  expect(await send(team, { from_name: 'Bank A' })).toEqual([201]);
});

test('a reply goes to no domain of others', async () => {
  const team = await api.newTeam();
  expect(await send(team, { reply_to: 'help@bank-a.com' })).toEqual([
    ...[422, 'sender_not_verified /reply_to'],
  ]);
  expect(await send(team, { reply_to: 'help@bank.example' })).toEqual([201]);
});

test('a domain under which anybody may register names is no sending domain', async () => {
  const team = await api.newTeam();
  const add = async (domain: string) =>
    (await team.post('/v2/partner/sending-domains', { domain })).status;
  for (const domain of ['co.uk', 'CO.UK', 'github.io', 's3.amazonaws.com']) {
    expect([domain, await add(domain)]).toEqual([domain, 422]);
  }
  for (const domain of ['bank.co.uk', 'bank.github.io', 'mail.bank-a.com']) {
    expect([domain, await add(domain)]).toEqual([domain, 201]);
  }
});

test('a name that data of a recipient makes look like an address is left out', async () => {
  const team = await api.newTeam();
  const { body: template } = await team.post('/v2/partner/templates', { name: 'Welcome' });
  const { body: made } = await team.post(`/v2/partner/templates/${String(template.id)}/messages`, {
    ...{ name: 'Hello', channel: 'email', subject: 'Hello', body_text: 'Hello' },
    from_name: '{{ contact.first_name }}',
  });
  const [message] = await api.db.look(
    (sql) => sql<any[]>`
      select * from messages where team_id = ${team.id} and id = ${String(made.id)}`,
  );
  const { body: made_person } = await team.post('/v2/partner/contacts', { email: 'a@b.example' });
  const [person] = await api.db.look(
    (sql) => sql<any[]>`
      select * from contacts where team_id = ${team.id} and id = ${String(made_person.id)}`,
  );
  const nameFor = (first_name: string) => {
    const contact: any = { ...person, first_name };
    const about_team = { name: 'Bank', locale: 'en', timezone: 'UTC', currency: 'EUR' };
    const values = valuesFor({ team: about_team, contact, surroundings: {} });
    const about = { teamId: team.id, id: template.id, teamLocale: 'en', look: undefined };
    const content = compose(
      { defaultFrom: 'no-reply@onward.test' },
      { ...about, message, blocks: [], address: ['ada@example.com'], values },
    );
    return content.channel === 'email' ? content.from.name : undefined;
  };
  expect(nameFor('Ada')).toBe('Ada');
  expect(nameFor('security@bank-a.com')).toBeUndefined();
});
