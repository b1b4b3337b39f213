import { randomUUID } from 'node:crypto';
import { withJson } from '../../src/platform/database/json-columns.ts';
import type { AtOnce } from '../../src/journeys/lanes/send-rate.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { createVersionCache } from '../../src/campaigns/templates/history/kept-versions.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anObjective, templates } from '../campaigns/a-template.ts';

/** A marketing e-mail that can be launched. */
export const anEmail = {
  name: 'Hello',
  channel: 'email',
  from_email: 'hello@bank.example',
  subject: 'Hello {{ contact.first_name }}',
  body_html: '<p>Dear {{ contact.first_name }}, <a href="{{ journey.link_url }}">go on</a></p>',
  respect_quiet_hours: false,
};
export const aText = {
  ...{ name: 'Text', channel: 'sms', purpose: 'servicing', body: 'Hi {{ contact.first_name }}' },
  respect_quiet_hours: false,
};

/** A launched template with these messages; gives its id and theirs. */
export async function aSendingTemplate(
  team: TestTeam,
  messages: readonly object[] = [anEmail],
  fields: object = {},
) {
  const objective_ids = [await anObjective(team)];
  const made = await team.post(templates, { name: 'Welcome', objective_ids, ...fields });
  const id = String(made.body.id);
  const messageIds: string[] = [];
  for (const message of messages) {
    const { status, body } = await team.post(`${templates}/${id}/messages`, message);
    if (status !== 201) throw new Error(JSON.stringify(body));
    messageIds.push(String(body.id));
  }
  const { status, body } = await team.post(`${templates}/${id}/launch`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { id, messageIds, version: Number(body.template_version) };
}

/** A contact that takes everything. */
export async function aReader(team: TestTeam, fields: object = {}): Promise<string> {
  const consent = { status: 'subscribed', source: 'branch' };
  const made = await team.post('/v2/partner/contacts', {
    unique_id: randomUUID(),
    first_name: 'Ada',
    email: `${randomUUID()}@example.com`,
    consents: { email: consent, sms: consent, push: consent },
    ...fields,
  });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return String(made.body.id);
}

/** Enrolls contacts in a template; gives the ids of their journeys. */
export async function enrolled(
  team: TestTeam,
  template: { id: string; version: number },
  contactIds: readonly string[],
  fields: object = {},
): Promise<string[]> {
  const rows = contactIds.map((contact_id) => ({
    ...{ team_id: team.id, template_id: template.id, template_version: template.version },
    ...{ contact_id, enrolled_via: 'api', next_due_at: new Date().toISOString() },
    ...fields,
  }));
  const made = await team.db.look(
    (sql) => sql<{ id: string }[]>`
      insert into journeys
      ${sql(rows.map((row) => withJson(sql, { scheduled_steps: {}, ...row }, ['scheduled_steps'])))}
      returning id`,
  );
  return made.map(({ id }) => id);
}

/** The deliveries of a template, in the order of their time. */
export async function deliveriesOf(team: TestTeam, templateId: string): Promise<any[]> {
  const path = '/v2/partner/message-deliveries';
  const { body } = await team.get(
    `${path}?filter[template_id]=${templateId}&sort=inserted_at&page[size]=100`,
  );
  return body.data;
}

/** Reads the mailbox messages of a team. */
export async function mailboxOf(team: TestTeam) {
  return team.db.look(
    (sql) => sql<{ id: string; recipient: string; contact_id: string | null; content: any }[]>`
      select * from mailbox_messages where team_id = ${team.id} order by inserted_at, id`,
  );
}

/** Makes the dependencies of the decisions of a lane. */
export function decideTools({ db: { database } }: TestApi) {
  const atOnce: AtOnce = (work) => database.read(work);
  return { versions: createVersionCache(), atOnce, log: createLog('silent', 'decisions') };
}
