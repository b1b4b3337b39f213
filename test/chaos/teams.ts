import { newTeam } from '../world/teams.ts';
import type { Team } from '../world/teams.ts';
import type { World } from './world.ts';

/** A team whose one subscription posts to the ledger, under the team's id. */
export async function newSubscribedTeam(
  world: World,
  eventTypes: readonly string[] = ['contact.created', 'template.launched', 'template.expired'],
): Promise<Team> {
  const team = await newTeam(world);
  await team.must('POST', '/v2/partner/webhook-subscriptions', {
    target_url: world.ledger.urlOf(team.id),
    event_types: eventTypes,
  });
  return team;
}

/** Posts a contact under a key until it is answered; the id of the contact, if it was made. */
export async function addContact(team: Team, key: string): Promise<string | undefined> {
  const json = { email: `${key}@example.com`, first_name: 'Chaos' };
  const { status, body } = await team.call('POST', '/v2/partner/contacts', json, key);
  return status === 201 ? String(body.id) : undefined;
}

/** The path of something that every team has, to be read. */
export async function readablePath(team: Team): Promise<string> {
  const { data } = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  return `/v2/partner/objectives/${String(data[0].id)}`;
}

/** A complete template that launches and expires by the clock. */
export async function scheduleTemplate(
  team: Team,
  { launchAtMs, expireAtMs }: { launchAtMs: number; expireAtMs: number },
): Promise<string> {
  const objectives = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  const { id } = await team.must('POST', '/v2/partner/templates', {
    name: 'Chaos',
    objective_ids: [objectives.data[0].id],
    deadline_at: new Date(expireAtMs).toISOString(),
  });
  const path = `/v2/partner/templates/${String(id)}`;
  await team.must('POST', `${path}/pages`, { name: 'Hello' });
  await team.must('POST', `${path}/schedule`, {
    scheduled_at: new Date(launchAtMs).toISOString(),
  });
  return String(id);
}
