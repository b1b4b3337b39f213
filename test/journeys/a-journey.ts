import { randomUUID } from 'node:crypto';
import { linkToken } from '../../src/messaging/journey-link.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anObjective, at, templates } from '../campaigns/a-template.ts';

export interface AJourney {
  id: string;
  templateId: string;
  contactId: string;
  linkToken: string;
}

/** A launched template with pages as they are given. */
export async function aTemplateWithPages(
  team: TestTeam,
  pages: readonly object[],
  fields: object = {},
): Promise<string> {
  const objective_ids = [await anObjective(team)];
  const made = await team.post(templates, { name: 'Welcome', objective_ids, ...fields });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const id = String(made.body.id);
  for (const page of pages) {
    const { status, body } = await team.post(at(id, '/pages'), page);
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
  const { status, body } = await team.post(at(id, '/launch'));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return id;
}

/** A contact under way in a template. */
export async function aJourneyIn(
  api: TestApi,
  team: TestTeam,
  templateId: string,
  contact: object = {},
): Promise<AJourney> {
  const made = await team.post('/v2/partner/contacts', { unique_id: randomUUID(), ...contact });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const contactId = String(made.body.id);
  const id = await enrolled(team, templateId, contactId);
  const link = linkToken(api.keyring, { team_id: team.id, id, link_generation: 1 });
  return { id, templateId, contactId, linkToken: link };
}

/** The id of a new journey that is under way. */
export async function enrolled(
  team: Pick<TestTeam, 'id' | 'db'>,
  templateId: string,
  contactId: string,
): Promise<string> {
  const [row] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
      insert into journeys
        (team_id, template_id, template_version, contact_id, status, started_at, enrolled_via)
      select t.team_id, t.id, t.template_version, ${contactId}, 'active', now(), 'api'
      from templates t where t.team_id = ${team.id} and t.id = ${templateId}
      returning id`,
  );
  if (!row) throw new Error('there is no such template');
  return row.id;
}
