import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

const path = '/v2/partner/widget-instances';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const widget = (fields: object = {}) => ({ name: 'Checklist', widget_kind: 'journey', ...fields });

async function made(fields: object = {}, of = team): Promise<Record<string, any>> {
  const reply = await of.post(path, widget(fields));
  expect(reply.status).toBe(201);
  return reply.body;
}

const codeOf = (reply: Reply) => [reply.status, reply.body?.errors?.[0].code];
const problemsOf = (reply: Reply) =>
  reply.body.errors.map(({ code, meta }: any) => [reply.status, code, meta.pointer, meta.rule]);

describe('creating', () => {
  test('a name and a kind are enough; the rest has defaults', async () => {
    const reply = await team.post(path, widget());
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${path}/${String(reply.body.id)}`);
    expect(reply.body).toEqual({
      id: expect.any(String),
      type: 'widget_instance',
      team_id: team.id,
      name: 'Checklist',
      widget_kind: 'journey',
      allowed_origins: [],
      is_active: true,
      is_archived: false,
      publishable_key: expect.stringMatching(/^wpk_[\w-]{32}$/),
      token_ttl_seconds: 3_600,
      bootstrap_count: 0,
      inserted_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await team.get(`${path}/${String(reply.body.id)}`)).body).toEqual(reply.body);
  });

  test('all written fields are in the response, which can be sent back unchanged', async () => {
    const { body: template } = await team.post('/v2/partner/templates', { name: 'One' });
    const written = {
      template_id: template.id,
      allowed_origins: ['https://www.bank.example', 'https://app.bank.example:8443'],
      is_active: false,
      theme: { primary_color: '#003366', radius: 4, is_dark: false },
      locale: 'de-DE',
      session_max_days: 30,
    };
    const read = await made({ ...written, widget_kind: 'opt_in', opt_in: { double_opt_in: true, channels: ['sms', 'email'] } }); // prettier-ignore
    expect(read).toMatchObject({
      ...written,
      opt_in: { channels: ['sms', 'email'], double_opt_in: true },
    });
    const its = `${path}/${String(read['id'])}`;
    const before = await team.get(its);
    const same = await team.patch(its, read);
    expect(same.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test('origins are stored in the form that browsers send', async () => {
    const { allowed_origins } = await made({
      allowed_origins: ['https://WWW.Bank.Example/', 'https://www.bank.example:443'],
    });
    expect(allowed_origins).toEqual(['https://www.bank.example']);
  });

  test.each([
    'http://www.bank.example',
    'https://www.bank.example/path',
    'https://user@www.bank.example',
    'https://*.bank.example',
    'https://www.bank.example?x',
    'www.bank.example',
    'null',
    'javascript:alert(1)',
    'https://',
    'https://a b',
  ])('%s is no origin', async (origin) => {
    const refused = await team.post(
      path,
      widget({ allowed_origins: ['https://fine.example', origin] }),
    );
    expect(problemsOf(refused)).toEqual([
      [422, 'validation_failed', '/allowed_origins/1', 'format'],
    ]);
  });

  test('origins of the same machine are for development only', async () => {
    const local = ['http://localhost:8080', 'http://127.0.0.1:5173'];
    expect((await made({ allowed_origins: local }))['allowed_origins']).toEqual(local);
    const strict = await startTestApi({ WEBHOOK_ALLOW_LOOPBACK: 'false' });
    const refused = await (await strict.newTeam()).post(path, widget({ allowed_origins: local }));
    await strict.stop();
    expect(problemsOf(refused)).toHaveLength(2);
  });

  test('settings of another kind of widget are refused', async () => {
    const refused = await team.post(
      path,
      widget({ widget_kind: 'mobile_app', mobile_app: {}, card_on_file: { merchants: ['x'] } }),
    );
    expect(problemsOf(refused)).toEqual([
      [422, 'validation_failed', '/card_on_file', 'unknown_field'],
    ]);
  });

  test('a template must be one of the team', async () => {
    const { body: theirs } = await (
      await api.newTeam()
    ).post('/v2/partner/templates', { name: 'Theirs' });
    for (const template_id of [theirs.id, randomUUID()]) {
      const refused = await team.post(path, widget({ template_id }));
      expect(problemsOf(refused)).toEqual([
        [422, 'validation_failed', '/template_id', 'reference_not_found'],
      ]);
    }
  });

  test('a team has a hundred at most, also under concurrent requests', async () => {
    const own = await api.newTeam();
    await api.db.look(
      (sql) => sql`
      insert into widget_instances
        (team_id, name, widget_kind, allowed_origins, is_active, publishable_key, session_max_days)
      select ${own.id}, 'w', 'journey', '{}', true, 'wpk_' || gen_random_uuid(), 90
      from generate_series(1, 99)`,
    );
    const race = await Promise.all([1, 2, 3].map(() => own.post(path, widget())));
    expect(race.map((reply) => codeOf(reply)[1]).sort()).toEqual([
      'quota_exceeded',
      'quota_exceeded',
      undefined,
    ]);
  });
});

describe('archiving', () => {
  test('hides a widget from the list without deleting it; unarchiving restores it', async () => {
    const own = await api.newTeam();
    const { id } = await made({ is_active: false }, own);
    const its = `${path}/${String(id)}`;
    const archived = await own.post(`${its}/archive`);
    expect(archived.body).toMatchObject({ is_archived: true, archived_at: expect.any(String) });
    expect((await own.get(path)).body.data).toEqual([]);
    expect((await own.get(`${path}?filter[is_archived]=true`)).body.data).toEqual([archived.body]);
    const again = await own.post(`${its}/archive`);
    expect(codeOf(again)).toEqual([409, 'invalid_state_transition']);
    expect(again.body.errors[0].meta).toMatchObject({
      resource: 'widget_instance',
      state: 'archived',
      allowed_actions: ['unarchive'],
    });
    const back = await own.post(`${its}/unarchive`);
    expect(back.body).toMatchObject({ is_archived: false, is_active: false });
    expect(back.body).not.toHaveProperty('archived_at');
    expect(codeOf(await own.post(`${its}/unarchive`))).toEqual([409, 'invalid_state_transition']);
  });
});

describe('changing', () => {
  test('the kind is fixed, and so are key, counters and stamps', async () => {
    const read = await made();
    const its = `${path}/${String(read['id'])}`;
    const refused = await team.patch(its, { widget_kind: 'opt_in' });
    expect(problemsOf(refused)).toEqual([[422, 'immutable_field', '/widget_kind', undefined]]);
    const kept = await team.patch(its, {
      publishable_key: 'wpk_mine',
      token_ttl_seconds: 5,
      bootstrap_count: 7,
      is_archived: true,
    });
    expect(kept.body).toEqual(read);
  });

  test('fields are cleared by null, and the changed fields are in the audit trail', async () => {
    const read = await made({ theme: { a: 1 }, locale: 'en' });
    const its = `${path}/${String(read['id'])}`;
    const changed = await team.patch(its, { theme: null, session_max_days: 180 });
    expect(changed.body).not.toHaveProperty('theme');
    expect((await team.delete(its)).status).toBe(204);
    expect((await team.get(its)).status).toBe(404);
    const trail = await team.get(`/v2/partner/audit-events?filter[resource_id]=${read['id']}`);
    expect(
      trail.body.data.map(({ action, changed_fields }: any) => [action, changed_fields]),
    ).toEqual([
      ['widget_instance.deleted', []],
      ['widget_instance.updated', ['session_max_days', 'theme']],
      ['widget_instance.created', ['locale', 'name', 'theme', 'widget_kind']],
    ]);
  });
});

test('widgets are listed by name, and found by kind and template', async () => {
  const own = await api.newTeam();
  const { body: template } = await own.post('/v2/partner/templates', { name: 'One' });
  const b = await made({ name: 'b', template_id: template.id }, own);
  const a = await made({ name: 'a', widget_kind: 'enrollment', is_active: false }, own);
  const idsOf = async (query: string) =>
    (await own.get(`${path}?${query}`)).body.data.map(({ id }: any) => id);
  expect(await idsOf('sort=name')).toEqual([a['id'], b['id']]);
  expect(await idsOf('filter[widget_kind]=enrollment')).toEqual([a['id']]);
  expect(await idsOf(`filter[template_id]=${String(template.id)}`)).toEqual([b['id']]);
  expect(await idsOf('filter[is_active]=true')).toEqual([b['id']]);
});
