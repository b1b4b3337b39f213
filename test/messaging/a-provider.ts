import type { TestTeam } from '../support/api.ts';
import type { ProviderServer } from '../support/provider-server.ts';

/** Adds a provider of text messages to a team; returns its id. */
export async function anSmsProvider(
  team: TestTeam,
  { url }: Pick<ProviderServer, 'url'>,
  fields: object = {},
): Promise<string> {
  return aProvider(team, {
    ...{ channel: 'sms', kind: 'sms_b', name: 'Texts', url, secret: `key-of-${team.id}` },
    ...{ senders: ['+14155550199'], ...fields },
  });
}

/** Adds a provider of e-mail to a team; returns its id. */
export async function anEmailProvider(
  team: TestTeam,
  { url }: Pick<ProviderServer, 'url'>,
  fields: object = {},
): Promise<string> {
  return aProvider(team, {
    ...{ channel: 'email', kind: 'email_b', name: 'Mail', url, secret: `key-of-${team.id}` },
    ...{ senders: [senderOf(team)], ...fields },
  });
}

/** The address that e-mails of a team are from. */
export const senderOf = ({ id }: Pick<TestTeam, 'id'>) => `hello@${id}.bank.example`;

async function aProvider(team: TestTeam, body: object): Promise<string> {
  const made = await team.post('/v2/partner/sending-providers', body);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return String(made.body.id);
}
