import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { anObjective, at, codesOf, templates } from './a-template.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const place = (id: unknown, rest = '') => `/v2/partner/pages/${String(id)}${rest}`;
const aTemplate = async () => String((await team.post(templates, { name: 'T' })).body.id);

test('a page is created, changed, moved and deleted, and its template reflects each change', async () => {
  const template = await aTemplate();
  const objective_id = await anObjective(team);
  const first = await team.post(at(template, '/pages'), { name: 'A', objective_id });
  expect(first.body).toMatchObject({
    kind: 'step',
    completion_rule: 'viewed',
    requires_identity_challenge: false,
    content_block_ids: [],
    objective_id,
    version: 1,
  });
  const second = await team.post(at(template, '/pages'), { name: 'B' });
  const moved = await team.patch(place(first.body.id), { position: 1, title: 'Hello' });
  expect(moved.body).toMatchObject({ position: 1, title: 'Hello', version: 2 });
  const { body } = await team.get(at(template));
  expect(body.page_ids).toEqual([second.body.id, first.body.id]);
  expect((await team.delete(place(second.body.id))).status).toBe(204);
  expect((await team.get(place(first.body.id))).body.position).toBe(0);
});

test('a path is unique in the template, and free again after its page is deleted', async () => {
  const template = await aTemplate();
  const first = await team.post(at(template, '/pages'), { name: 'A', path: 'start' });
  const taken = await team.post(at(template, '/pages'), { name: 'B', path: 'start' });
  expect(taken.body.errors[0]).toMatchObject({ code: 'slug_taken', meta: { id: first.body.id } });
  await team.delete(place(first.body.id));
  const free = await team.post(at(template, '/pages'), { name: 'B', path: 'start' });
  expect(free.status).toBe(201);
});

test('a page of a deleted template is not found', async () => {
  const template = await aTemplate();
  const page = await team.post(at(template, '/pages'), { name: 'A' });
  await team.delete(at(template));
  expect((await team.get(place(page.body.id))).status).toBe(404);
});

test('a locked template refuses changes to its pages', async () => {
  const template = await aTemplate();
  const page = await team.post(at(template, '/pages'), { name: 'A' });
  await team.post(at(template, '/lock'));
  const refused = await team.patch(place(page.body.id), { title: 'B' });
  expect(codesOf(refused.body)).toEqual(['template_locked']);
});

test('a rendered page shows values as text, never as markup', async () => {
  const template = await aTemplate();
  const title = 'Hi {{ contact.first_name }}';
  const page = await team.post(at(template, '/pages'), { name: 'A', title });
  const data = { contact: { first_name: '<script>x</script>' } };
  const { body } = await team.post(place(page.body.id, '/render'), { data });
  expect(body.html).toContain('<h1>Hi &lt;script&gt;x&lt;/script&gt;</h1>');
});

test('the pages of a team are listed with their templates', async () => {
  const own = await api.newTeam();
  const made = await own.post(templates, { name: 'T' });
  await own.post(at(made.body.id, '/pages'), { name: 'A' });
  const { body } = await own.get(
    `/v2/partner/pages?include=template,content_blocks&filter[template_id]=${made.body.id}`,
  );
  expect(body.data).toMatchObject([
    { name: 'A', relationships: { template: { id: made.body.id }, content_blocks: [] } },
  ]);
});
