import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../../support/use-test-api.ts';
import type { TestTeam } from '../../support/api.ts';
import { aLaunchedTemplate, at, templates } from '../../campaigns/a-template.ts';

/** More than the 25 that a list shows of each relation. */
const count = 26;
const contacts = '/v2/partner/contacts';
const landingPages = '/v2/partner/landing-pages';

const api = useTestApi();
let team: TestTeam;
let blocks: string[];
beforeAll(async () => {
  team = await api.newTeam();
  blocks = await several('/v2/partner/content-blocks', (key) => ({
    ...{ name: key, key, kind: 'rich_text', body: { html: '<p>Hello</p>' } },
  }));
});

async function one(path: string, body: object): Promise<string> {
  const made = await team.post(path, body);
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  return String(made.body.id);
}
async function several(path: string, bodyOf: (key: string) => object): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await one(path, bodyOf(`k-${randomUUID()}`)));
  return ids;
}
const aContact = () => one(contacts, { unique_id: randomUUID() });
const aTemplate = (fields: object = {}) => one(templates, { name: 'T', ...fields });
const named = (name: string) => ({ name });

/** A contact with many journeys of one template. */
async function aTraveller(): Promise<string> {
  const [contact, template] = [await aContact(), await aLaunchedTemplate(team)];
  await team.db.look(
    (sql) => sql`
      insert into journeys
        (team_id, template_id, template_version, contact_id, seq, status, completed_at,
          enrolled_via)
      select ${team.id}, ${template}, 1, ${contact}, seq, 'completed', now(),
        'api'
      from generate_series(1, ${count}::int) seq`,
  );
  return contact;
}
async function aMember(): Promise<string> {
  const contact = await aContact();
  const cohorts = await several('/v2/partner/cohorts', (name) => ({ name, kind: 'static' }));
  for (const id of cohorts) {
    await team.post(`/v2/partner/cohorts/${id}/members/add`, { contact_ids: [contact] });
  }
  return contact;
}
async function aTemplateOf(steps: string, fields: object = {}): Promise<string> {
  const template = await aTemplate();
  await several(at(template, steps), (name) => ({ ...named(name), ...fields }));
  return template;
}

test.each<{ list: string; relation: string; make: () => Promise<string> }>([
  { list: contacts, relation: 'cohorts', make: aMember },
  { list: contacts, relation: 'journeys', make: aTraveller },
  {
    ...{ list: templates, relation: 'objectives' },
    make: async () =>
      aTemplate({
        objective_ids: await several('/v2/partner/objectives', (key) => ({ name: key, key })),
      }),
  },
  { list: templates, relation: 'pages', make: () => aTemplateOf('/pages') },
  {
    ...{ list: templates, relation: 'messages' },
    make: () => aTemplateOf('/messages', { channel: 'sms' }),
  },
  {
    ...{ list: '/v2/partner/pages', relation: 'content_blocks' },
    make: async () =>
      one(at(await aTemplate(), '/pages'), { ...named('P'), content_block_ids: blocks }),
  },
  {
    ...{ list: '/v2/partner/messages', relation: 'content_blocks' },
    make: async () =>
      one(at(await aTemplate(), '/messages'), {
        ...{ name: 'M', channel: 'email', content_block_ids: blocks },
      }),
  },
  {
    ...{ list: landingPages, relation: 'content_blocks' },
    make: () =>
      one(landingPages, { name: 'L', slug: `l-${randomUUID()}`, content_block_ids: blocks }),
  },
])('$list shows 25 $relation of each and names the relations with more', async (given) => {
  const { list, relation, make } = given;
  const id = await make();
  const { status, body } = await team.get(`${list}?include=${relation}&page[size]=100`);
  expect(status).toBe(200);
  const shown = body.data.find((row: { id: string }) => row.id === id);
  expect(shown.relationships[relation]).toHaveLength(count - 1);
  expect(shown.truncated_relationships).toEqual([relation]);
});
