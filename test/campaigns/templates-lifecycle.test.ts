import { describe, expect, test } from '@jest/globals';
import { listOverdueTemplates } from '../../src/campaigns/templates/queries.ts';
import { nextDue } from '../../src/campaigns/templates/rules.ts';
import type { Lifecycle } from '../../src/campaigns/templates/rules.ts';
import { useTestApi } from '../support/use-test-api.ts';
import {
  aCompleteTemplate,
  aLaunchedTemplate,
  aSubscribedTeam,
  at,
  codesOf,
  eventsOf,
  inHours,
  letPass,
  templates,
} from './a-template.ts';

const api = useTestApi();

describe('launching', () => {
  test('requires a page or message and an objective, as validate reports', async () => {
    const team = await api.newTeam();
    const { body: draft } = await team.post(templates, { name: 'x' });
    const missing = ['page_or_message', 'objective'];
    const validated = await team.post(at(draft.id, '/validate'));
    expect(validated.body).toEqual({ complete: false, missing });
    for (const [action, body] of [
      ['/launch', undefined],
      ['/schedule', { scheduled_at: inHours(1) }],
    ] as const) {
      const refused = await team.post(at(draft.id, action), body);
      expect(refused.status).toBe(422);
      expect(refused.body.errors[0]).toMatchObject({
        code: 'template_incomplete',
        meta: { missing },
      });
    }
  });

  test('requires a sender for a marketing e-mail', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team);
    const message = await team.post(at(id, '/messages'), { name: 'Hi', channel: 'email' });
    const { body } = await team.post(at(id, '/validate'));
    expect(body.missing).toEqual([`messages/${message.body.id}/from_email`]);
  });

  test('sets the stamps, locks, numbers the version and records the client', async () => {
    const team = await aSubscribedTeam(api);
    const id = await aCompleteTemplate(team);
    const { status, body } = await team.post(at(id, '/launch'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'launched', is_locked: true, template_version: 1 });
    expect(body.launched_at).toBe(body.locked_at);
    const history = await team.get(at(id, '/status-history'));
    expect(history.body.data).toMatchObject([
      {
        from_status: 'draft',
        to_status: 'launched',
        action: 'launch',
        cause: 'api',
        client_id: team.clientId,
      },
      { to_status: 'draft', action: 'create' },
    ]);
    const events = await eventsOf(api, team);
    expect(events.at(-1)).toMatchObject({ type: 'template.launched', data: { id } });
  });

  test('of a draft whose deadline has passed is refused', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team);
    await letPass(api, id, { deadline_at: inHours(-1) });
    const { status, body } = await team.post(at(id, '/launch'));
    expect([status, ...codesOf(body)]).toEqual([409, 'deadline_passed']);
  });
});

describe('the life of a template', () => {
  test('the refusal of an action names the actions that the state allows', async () => {
    const team = await api.newTeam();
    const id = await aLaunchedTemplate(team);
    const { status, body } = await team.post(at(id, '/archive'));
    expect(status).toBe(409);
    expect(body.errors[0]).toMatchObject({
      code: 'invalid_state_transition',
      meta: {
        resource: 'template',
        state: 'launched',
        action: 'archive',
        allowed_actions: ['pause', 'expire', 'lock'],
      },
    });
  });

  test('a resume without an edit retains the version, and one after an edit creates the next', async () => {
    const team = await api.newTeam();
    const id = await aLaunchedTemplate(team);
    await team.post(at(id, '/pause'));
    expect((await team.post(at(id, '/resume'))).body.template_version).toBe(1);
    await team.post(at(id, '/pause'));
    await team.post(at(id, '/unlock'));
    await team.post(at(id, '/messages'), { name: 'More', channel: 'sms' });
    const resumed = await team.post(at(id, '/resume'));
    expect(resumed.body).toMatchObject({
      status: 'launched',
      template_version: 2,
      is_locked: true,
    });
    const { body } = await team.get(at(id, '/versions'));
    expect(body.data.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    expect((await team.get(at(id, '/versions/1'))).body.messages).toEqual([]);
    expect((await team.get(at(id, '/versions/2'))).body.messages).toMatchObject([
      { name: 'More', status: 'active' },
    ]);
    expect((await team.get(at(id, '/versions/3'))).status).toBe(404);
    expect((await team.get(at(id, '/versions/x'))).status).toBe(404);
  });

  test('a launched or scheduled template cannot be unlocked', async () => {
    const team = await api.newTeam();
    const scheduled = await aCompleteTemplate(team, { scheduled_at: inHours(1) });
    for (const id of [await aLaunchedTemplate(team), scheduled]) {
      const { status, body } = await team.post(at(id, '/unlock'));
      expect([status, ...codesOf(body)]).toEqual([409, 'template_locked']);
    }
  });

  test('every transition has an event type of its own', async () => {
    const team = await aSubscribedTeam(api);
    const id = await aCompleteTemplate(team);
    const steps = 'lock unlock launch pause resume expire archive unarchive'.split(' ');
    for (const step of steps) expect((await team.post(at(id, `/${step}`))).status).toBe(200);
    const types = (await eventsOf(api, team)).slice(2).map(({ type }) => type.split('.')[1]);
    expect(types).toEqual(
      'locked updated launched paused resumed expired archived unarchived'.split(' '),
    );
    const history = await team.get(at(id, '/status-history'));
    const moves = history.body.data.map(
      ({ from_status, to_status }: Record<string, string>) => `${from_status} ${to_status}`,
    );
    expect(moves.slice(0, 3)).toEqual(['archived paused', 'expired archived', 'launched expired']);
  });

  test('a template leaves the archive as a draft, expired or paused, never launched', async () => {
    const team = await api.newTeam();
    const revive = async (id: string) => {
      await team.post(at(id, '/archive'));
      return (await team.post(at(id, '/unarchive'))).body;
    };
    const draft = await revive(await aCompleteTemplate(team));
    expect(draft).toMatchObject({ status: 'draft', is_archived: false });
    expect(draft.archived_at).toBeUndefined();

    const paused = await aLaunchedTemplate(team);
    await team.post(at(paused, '/pause'));
    expect(await revive(paused)).toMatchObject({ status: 'paused' });

    const over = await aLaunchedTemplate(team, { deadline_at: inHours(1) });
    await team.post(at(over, '/pause'));
    await team.post(at(over, '/archive'));
    await letPass(api, over, { deadline_at: inHours(-1) });
    expect((await team.post(at(over, '/unarchive'))).body).toMatchObject({ status: 'expired' });
  });

  test('only a draft can be deleted', async () => {
    const team = await api.newTeam();
    const draft = await aCompleteTemplate(team);
    expect((await team.delete(at(draft))).status).toBe(204);
    expect((await team.get(at(draft))).status).toBe(404);
    const launched = await team.delete(at(await aLaunchedTemplate(team)));
    expect([launched.status, ...codesOf(launched.body)]).toEqual([409, 'template_has_history']);
    const { body } = await team.post(templates, { name: 'x', scheduled_at: inHours(1) });
    const scheduled = await team.delete(at(body.id));
    expect([scheduled.status, ...codesOf(scheduled.body)]).toEqual([
      409,
      'invalid_state_transition',
    ]);
  });

  test('a copy is a draft with the same content under new ids', async () => {
    const team = await api.newTeam();
    const id = await aLaunchedTemplate(team, { use_case: 'onboarding' });
    const original = (await team.get(at(id))).body;
    const { status, body } = await team.post(at(id, '/duplicate'), { name: 'Again' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Again',
      use_case: 'onboarding',
      status: 'draft',
      template_version: 0,
      is_locked: false,
      objective_ids: original.objective_ids,
    });
    expect(body.page_ids).toHaveLength(1);
    expect(body.page_ids).not.toEqual(original.page_ids);
    expect((await team.post(at(id, '/duplicate'))).body.name).toBe('Welcome (copy)');
  });
});

describe('a due transition is applied by the next write', () => {
  test('an overdue template expires before the write is applied', async () => {
    const team = await aSubscribedTeam(api);
    const id = await aLaunchedTemplate(team, { deadline_at: inHours(1) });
    await letPass(api, id, { deadline_at: inHours(-1) });
    const { status, body } = await team.patch(at(id), { name: 'Late' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'expired', name: 'Late' });
    const { data } = (await team.get(at(id, '/status-history'))).body;
    expect(data[0]).toMatchObject({ from_status: 'launched', action: 'expire', cause: 'timer' });
    expect(data[0].client_id).toBeUndefined();
    const types = (await eventsOf(api, team)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['template.expired', 'template.updated']);

    const revived = await team.patch(at(id), { deadline_at: inHours(1) });
    expect([revived.status, ...codesOf(revived.body)]).toEqual([409, 'deadline_passed']);
  });

  test('a due launch is applied before a pause', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team, { scheduled_at: inHours(1) });
    await letPass(api, id, { scheduled_at: inHours(-1) });
    const { body } = await team.post(at(id, '/pause'));
    expect(body).toMatchObject({ status: 'paused', template_version: 1 });
  });

  test('a template with overdue launch and expiry expires without a launch', async () => {
    const team = await aSubscribedTeam(api);
    const id = await aCompleteTemplate(team, {
      scheduled_at: inHours(1),
      deadline_at: inHours(2),
    });
    await letPass(api, id, { scheduled_at: inHours(-2), deadline_at: inHours(-1) });
    const { body } = await team.patch(at(id), { name: 'Late' });
    expect(body).toMatchObject({ status: 'expired', template_version: 0 });
    expect(body.launched_at).toBeUndefined();
    const types = (await eventsOf(api, team)).map(({ type }) => type);
    expect(types).not.toContain('template.launched');
  });

  test('an incomplete template returns to draft, and the event names the missing parts', async () => {
    const team = await aSubscribedTeam(api);
    const { body: made } = await team.post(templates, { name: 'x', scheduled_at: inHours(1) });
    await letPass(api, made.id, { scheduled_at: inHours(-1) });
    const { body } = await team.patch(at(made.id), { name: 'Late' });
    expect(body.status).toBe('draft');
    const failed = (await eventsOf(api, team)).find(
      ({ type }) => type === 'template.launch_failed',
    );
    expect(failed.data).toMatchObject({
      status: 'draft',
      missing: ['page_or_message', 'objective'],
    });
  });
});

describe('the reconciler of lost timers', () => {
  test('finds only overdue templates without a recent update', async () => {
    const team = await api.newTeam();
    const [lost, busy, ahead] = [
      await aLaunchedTemplate(team, { deadline_at: inHours(1) }),
      await aLaunchedTemplate(team, { deadline_at: inHours(1) }),
      await aLaunchedTemplate(team, { deadline_at: inHours(1) }),
    ];
    const updated_at = inHours(-3);
    await letPass(api, lost, { deadline_at: inHours(-1), updated_at });
    await letPass(api, busy, { deadline_at: inHours(-1) });
    await letPass(api, ahead, { updated_at });
    const suspended = await api.newTeam();
    const waiting = await aLaunchedTemplate(suspended, { deadline_at: inHours(1) });
    await letPass(api, waiting, { deadline_at: inHours(-1), updated_at });
    await api.db.look(
      (sql) => sql`update teams set suspended_at = now() where id = ${suspended.id} returning id`,
    );
    const rows = await api.db.database.read((sql) => listOverdueTemplates(sql, 30_000, 100));
    const ids = rows.map(({ id }) => id);
    expect([lost, busy, ahead, waiting].map((id) => ids.includes(id))).toEqual([
      ...[true, false, false, false],
    ]);
  });

  test('reads a due time that matches the transition rules', async () => {
    const team = await api.newTeam();
    const deadline_at = inHours(5);
    const scheduled = await aCompleteTemplate(team, { deadline_at, scheduled_at: inHours(2) });
    const draft = await aCompleteTemplate(team, { deadline_at });
    const launched = await aLaunchedTemplate(team, { deadline_at });
    const paused = await aLaunchedTemplate(team, { deadline_at });
    await team.post(at(paused, '/pause'));
    const endless = await aLaunchedTemplate(team);
    const expired = await aLaunchedTemplate(team, { deadline_at });
    await team.post(at(expired, '/expire'));
    for (const id of [scheduled, draft, launched, paused, endless, expired]) {
      const [row] = await api.db.look(
        (sql) => sql<(Lifecycle & { due_at: string | null })[]>`
          select * from templates where id = ${id}`,
      );
      expect(row?.due_at).toBe((row && nextDue(row)?.at) ?? null);
    }
  });
});
