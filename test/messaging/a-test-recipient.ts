import { testRecipientUrl } from '../../src/messaging/confirming/token.ts';
import { act, create } from '../contract/recipes/recipe.ts';
import type { Owner } from '../contract/recipes/recipe.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

export const testRecipients = '/v2/partner/test-recipients';

/** The path of the link of a test recipient. */
export const linkOf = ({ keyring }: TestApi, team: { id: string }, id: string) =>
  testRecipientUrl('', keyring, { team_id: team.id, id });

/** A confirmed test recipient; the message with its link is in the queue. */
export async function aTestRecipient(
  api: TestApi,
  team: TestTeam,
  channel: string,
  address: string,
): Promise<string> {
  const id = await create(team, testRecipients, { channel, address });
  const { status } = await api.call('POST', linkOf(api, team, id));
  if (status !== 200) throw new Error(`the link answers ${String(status)}`);
  return id;
}

/** An active user, whose e-mail address gets tests without a link. */
export async function anActiveUser(team: Owner, email: string): Promise<string> {
  const users = '/v2/partner/users';
  return act(team, users, await create(team, users, { email }), ['activate']);
}
