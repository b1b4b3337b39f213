import type { Owner } from '../contract/recipes/recipe.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

export const templates = '/v2/partner/templates';
/** A moment from now, RFC 3339. */
export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** The first objective that the team was given. */
export async function anObjective(team: Owner): Promise<string> {
  const { body } = await team.get('/v2/partner/objectives?page[size]=1');
  return String(body.data[0].id);
}

/** A complete template: one objective and one page. */
export async function aCompleteTemplate(team: Owner, fields: object = {}) {
  const objective_ids = [await anObjective(team)];
  const made = await team.post(templates, { name: 'Welcome', objective_ids, ...fields });
  const id = String(made.body.id);
  await team.post(`${templates}/${id}/pages`, { name: 'Hello' });
  return id;
}

export async function aLaunchedTemplate(team: Owner, fields: object = {}) {
  const id = await aCompleteTemplate(team, fields);
  await team.post(`${templates}/${id}/launch`);
  return id;
}

export const at = (id: string, rest = '') => `${templates}/${id}${rest}`;

export const codesOf = (body: { errors: { code: string }[] }) =>
  body.errors.map(({ code }) => code);

/** A team with a subscription to every event about its templates. */
export async function aSubscribedTeam(api: TestApi): Promise<TestTeam> {
  const team = await api.newTeam();
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://example.com/hook',
    event_types: ['template.*'],
  });
  return team;
}

/** The events of a team that subscribed, in order, as they are sent. */
export async function eventsOf(api: TestApi, team: TestTeam) {
  const rows = await api.db.look(
    (sql) => sql<{ body: string }[]>`
      select body from webhook_events where team_id = ${team.id} order by inserted_at, sequence`,
  );
  return rows.map(({ body }) => JSON.parse(body));
}

/** Changes times in the row as if no timer had run. */
export async function letPass(
  api: TestApi,
  id: string,
  fields: { scheduled_at?: string; deadline_at?: string; updated_at?: string },
) {
  await api.db.look(
    (sql) => sql`update templates set ${sql(fields)} where id = ${id} returning id`,
  );
}

/** The number of wake-up signals for the workflow of a template. */
export async function wakesOf(api: TestApi, id: string): Promise<number> {
  const rows = await api.db.look((sql) => sql`select from workflow_outbox where key = ${id}`);
  return rows.length;
}
