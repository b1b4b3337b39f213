import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { eventsOf, eventTypesOf, subscribe } from '../support/recorded-events.ts';

const path = '/v2/partner/users';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

const anEmail = () => `${randomUUID()}@example.com`;

async function aUser(fields: object = {}, of = team): Promise<Record<string, any>> {
  const reply = await of.post(path, { email: anEmail(), ...fields });
  expect(reply.status).toBe(201);
  return reply.body;
}

async function after(user: Record<string, any>, ...actions: string[]): Promise<Reply['body']> {
  let body: Reply['body'] = user;
  for (const action of actions) {
    const reply = await team.post(`${path}/${String(user['id'])}/${action}`);
    expect([action, reply.status]).toEqual([action, 200]);
    ({ body } = reply);
  }
  return body;
}

/** An active admin of a team. */
async function anAdmin(of: TestTeam): Promise<string> {
  const { id } = await aUser({ role: 'admin' }, of);
  expect((await of.post(`${path}/${String(id)}/activate`)).status).toBe(200);
  return String(id);
}

/** As if the invitation were eight days old. */
const ageInvite = (id: string) =>
  api.db.look(
    (sql) => sql`
    update users
    set invited_at = now() - interval '8 days', invite_expires_at = now() - interval '1 day'
    where team_id = ${team.id} and id = ${id}`,
  );

const codeOf = (reply: Reply) => [reply.status, reply.body?.errors?.[0].code];

describe('inviting', () => {
  test('a new user is invited for seven days, a viewer unless another role is given', async () => {
    const reply = await team.post(path, { email: 'Ada.Lovelace@Bank.EXAMPLE', name: 'Ada' });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${path}/${String(reply.body.id)}`);
    expect(reply.body).toEqual({
      id: expect.any(String),
      type: 'user',
      team_id: team.id,
      email: 'Ada.Lovelace@bank.example',
      name: 'Ada',
      role: 'viewer',
      status: 'invited',
      invited_at: expect.any(String),
      invite_expires_at: expect.any(String),
      inserted_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { invited_at, invite_expires_at } = reply.body;
    expect(Date.parse(invite_expires_at) - Date.parse(invited_at)).toBe(7 * 86_400_000);
    expect(await eventTypesOf(api, team, reply.body.id)).toEqual(['user.invited']);
    expect((await team.get(`${path}/${String(reply.body.id)}`)).body).toEqual(reply.body);
  });

  test('status and timestamps in a body are ignored: no user is created active', async () => {
    const stamp = '2020-01-01T00:00:00.000Z';
    const user = await aUser({
      id: randomUUID(),
      status: 'active',
      role: 'admin',
      last_signed_in_at: stamp,
      invite_expires_at: stamp,
    });
    expect(user).toMatchObject({ status: 'invited', role: 'admin' });
    expect(user).not.toHaveProperty('last_signed_in_at');
    expect(user['invite_expires_at']).not.toBe(stamp);
  });

  test('an address is unique in any letter case, also under concurrent requests, until its user is deleted', async () => {
    const email = anEmail();
    const replies = await Promise.all(
      [email, email.toUpperCase(), email, email.toUpperCase()].map((text) =>
        team.post(path, { email: text }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const made = replies.find(({ status }) => status === 201);
    const refused = await team.post(path, { email: email.toUpperCase() });
    expect(codeOf(refused)).toEqual([409, 'email_taken']);
    expect(refused.body.errors[0].meta).toMatchObject({ pointer: '/email', id: made?.body.id });
    expect(refused.body.errors[0].detail).not.toContain(email);

    const other = await aUser();
    const moved = await team.patch(`${path}/${String(other['id'])}`, { email });
    expect(codeOf(moved)).toEqual([409, 'email_taken']);
    expect((await team.delete(`${path}/${String(made?.body.id)}`)).status).toBe(204);
    await aUser({ email });
  });

  test('another team may invite the same address', async () => {
    const { email } = await aUser();
    await aUser({ email }, await api.newTeam());
  });

  test('the user after the thousandth is refused', async () => {
    const full = await api.newTeam();
    await api.db.look(
      (sql) => sql`
      insert into users (team_id, email, role, status, invited_at, invite_expires_at)
      select ${full.id}, 'u' || n || '@example.com', 'viewer', 'invited', now(), now()
      from generate_series(1, 999) n`,
    );
    await aUser({}, full);
    const refused = await full.post(path, { email: anEmail() });
    expect(codeOf(refused)).toEqual([422, 'quota_exceeded']);
  });

  test('resending an invitation renews its seven days', async () => {
    const user = await aUser();
    await ageInvite(user['id']);
    expect(codeOf(await team.post(`${path}/${String(user['id'])}/activate`))).toEqual([
      409,
      'invite_expired',
    ]);
    const renewed = await after(user, 'resend-invite');
    expect(Date.parse(renewed.invite_expires_at)).toBeGreaterThan(Date.now());
    expect(await after(user, 'activate')).toMatchObject({ status: 'active' });
    expect(await eventTypesOf(api, team, user['id'])).toEqual([
      'user.invited',
      'user.invited',
      'user.activated',
    ]);
  });
});

describe('states', () => {
  test('a first sign-in makes an invited user active and stores its time', async () => {
    const user = await aUser();
    const reply = await team.post(`${path}/${String(user['id'])}/activate`, { mfa_enabled: true });
    expect(reply.body).toMatchObject({ status: 'active', mfa_enabled: true });
    expect(Date.parse(reply.body.last_signed_in_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  test('a reactivated user is active again, or invited if it never signed in', async () => {
    const signedIn = await aUser();
    expect(await after(signedIn, 'activate', 'suspend')).toMatchObject({
      status: 'suspended',
      suspended_at: expect.any(String),
    });
    const back = await after(signedIn, 'reactivate');
    expect(back.status).toBe('active');
    expect(back).not.toHaveProperty('suspended_at');
    expect(await eventTypesOf(api, team, signedIn['id'])).toEqual([
      'user.invited',
      'user.activated',
      'user.suspended',
      'user.activated',
    ]);

    const never = await aUser();
    expect(await after(never, 'suspend', 'reactivate')).toMatchObject({ status: 'invited' });
    expect(await eventTypesOf(api, team, never['id'])).toEqual([
      'user.invited',
      'user.suspended',
      'user.invited',
    ]);
  });

  test.each([
    [[], 'reactivate', ['activate', 'resend-invite', 'suspend']],
    [['activate'], 'activate', ['suspend']],
    [['activate'], 'resend-invite', ['suspend']],
    [['activate'], 'reactivate', ['suspend']],
    [['suspend'], 'activate', ['reactivate']],
    [['suspend'], 'resend-invite', ['reactivate']],
    [['suspend'], 'suspend', ['reactivate']],
  ])(
    'after %j, %s is refused and the error names the allowed actions',
    async (before, action, allowed) => {
      const user = await aUser();
      const { status } = await after(user, ...before);
      const refused = await team.post(`${path}/${String(user['id'])}/${action}`);
      expect(codeOf(refused)).toEqual([409, 'invalid_state_transition']);
      expect(refused.body.errors[0].meta).toMatchObject({
        resource: 'user',
        state: status,
        action,
        allowed_actions: allowed,
      });
    },
  );
});

describe('the last active admin', () => {
  test('can be neither suspended, demoted nor deleted unless there is a second one', async () => {
    const own = await api.newTeam();
    const admin = `${path}/${await anAdmin(own)}`;
    // Neither helps: one has not signed in, the other is no admin.
    await aUser({ role: 'admin' }, own);
    await own.post(`${path}/${String((await aUser({}, own))['id'])}/activate`);

    for (const refused of [
      await own.post(`${admin}/suspend`),
      await own.patch(admin, { role: 'editor' }),
      await own.delete(admin),
    ]) {
      expect(codeOf(refused)).toEqual([409, 'last_admin']);
    }
    expect((await own.patch(admin, { name: 'Still the admin', role: 'admin' })).status).toBe(200);
    await anAdmin(own);
    expect((await own.post(`${admin}/suspend`)).status).toBe(200);
  });

  test('remains when admins suspend, demote and delete each other concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await api.newTeam();
      const admins = await Promise.all(Array.from({ length: 6 }, () => anAdmin(own)));
      const replies = await Promise.all(
        admins.map((id, at) => {
          if (at % 3 === 0) return own.post(`${path}/${id}/suspend`);
          if (at % 3 === 1) return own.patch(`${path}/${id}`, { role: 'viewer' });
          return own.delete(`${path}/${id}`);
        }),
      );
      expect(replies.filter(({ status }) => status < 300)).toHaveLength(5);
      expect(replies.filter((reply) => codeOf(reply)[1] === 'last_admin')).toHaveLength(1);
      const left = await own.get(`${path}?filter[role]=admin&filter[status]=active`);
      expect(left.body.data).toHaveLength(1);
    }
  });

  test('is not required: a team without an admin can be administered', async () => {
    const own = await api.newTeam();
    const invited = await aUser({ role: 'admin' }, own);
    expect((await own.delete(`${path}/${String(invited['id'])}`)).status).toBe(204);
  });
});

describe('changing', () => {
  test('a change sends an event with the previous values; one that changes nothing sends none', async () => {
    const user = await aUser({ name: 'Ada' });
    const its = `${path}/${String(user['id'])}`;
    const changed = await team.patch(its, { name: null, role: 'editor' });
    expect(changed.body).toMatchObject({ role: 'editor' });
    expect(changed.body).not.toHaveProperty('name');
    const same = await team.patch(its, changed.body);
    expect(same.headers.get('etag')).toBe(changed.headers.get('etag'));
    const events = await eventsOf(api, team, user['id']);
    expect(events.map(({ type }) => type)).toEqual(['user.invited', 'user.updated']);
    expect(events[1]?.previous).toEqual({ name: 'Ada', role: 'viewer' });
  });

  test('a change with an outdated If-Match is refused', async () => {
    const user = await aUser();
    const stale = await team.patch(
      `${path}/${String(user['id'])}`,
      { name: 'x' },
      {
        'If-Match': '"7"',
      },
    );
    expect(codeOf(stale)).toEqual([412, 'precondition_failed']);
  });

  test('a deleted user is not found', async () => {
    const { id } = await aUser();
    expect((await team.delete(`${path}/${String(id)}`)).status).toBe(204);
    expect((await team.get(`${path}/${String(id)}`)).status).toBe(404);
    expect(await eventTypesOf(api, team, id)).toEqual(['user.invited', 'user.deleted']);
  });
});

test('users are listed by address and last sign-in, and found by role, status and address', async () => {
  const own = await api.newTeam();
  const [b, a] = [await aUser({ email: 'b@example.com' }, own), await aUser({ email: 'a@example.com', role: 'editor' }, own)]; // prettier-ignore
  await own.post(`${path}/${String(b['id'])}/activate`);
  const idsOf = async (query: string) =>
    (await own.get(`${path}?${query}`)).body.data.map(({ id }: any) => id);
  expect(await idsOf('')).toEqual([a['id'], b['id']]);
  expect(await idsOf('sort=email')).toEqual([a['id'], b['id']]);
  expect(await idsOf('sort=last_signed_in_at')).toEqual([b['id'], a['id']]);
  expect(await idsOf('filter[role]=editor')).toEqual([a['id']]);
  expect(await idsOf('filter[status][in]=active,suspended')).toEqual([b['id']]);
  expect(await idsOf('filter[email][starts_with]=B@')).toEqual([b['id']]);
});

test('a token with the document’s write scope can also read users, but not delete them', async () => {
  const writer = await team.withScopes('partner:users:write');
  const { id } = await aUser({}, writer);
  expect((await writer.get(`${path}/${String(id)}`)).status).toBe(200);
  const refused = await writer.delete(`${path}/${String(id)}`);
  expect(codeOf(refused)).toEqual([401, 'scope_missing']);
  expect(refused.body.errors[0].meta.required_scope).toBe('partner:users:delete');
});
