import { beforeAll, expect, test } from '@jest/globals';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();
const why = ['--reason', 'left the bank'];
const users = '/v2/partner/users';

beforeAll(() => {
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
});

async function admin(...args: string[]) {
  const lines: string[] = [];
  await createAdmin((line) => lines.push(line)).parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
}

test('an operator suspends a user whom the team would not, the last admin too', async () => {
  const team = await api.newTeam();
  await subscribe(api, team);
  const { body: made } = await team.post(users, { email: 'eve@example.com', role: 'admin' });
  const id = String(made.id);
  await team.post(`${users}/${id}/activate`);
  expect((await team.post(`${users}/${id}/suspend`)).body.errors[0].code).toBe('last_admin');

  const other = await api.newTeam();
  const { body: theirs } = await other.post(users, { email: 'adam@example.com' });
  expect(await admin('users', 'list', team.id)).toMatchObject([{ id, role: 'admin' }]);
  expect(await admin('users', 'list', other.id)).toMatchObject([{ id: theirs.id }]);
  expect(await admin('users', 'suspend', team.id, id, ...why)).toMatchObject({
    status: 'suspended',
  });
  await admin('users', 'suspend', team.id, id, ...why);
  expect((await team.get(`${users}/${id}`)).body.status).toBe('suspended');
  const { status } = await admin('users', 'resume', team.id, id, ...why);
  expect((await team.get(`${users}/${id}`)).body.status).toBe(status);

  const trail: any[] = await admin('audit', 'list', '--team', team.id);
  const byOperator = trail.filter(({ client_id }) => client_id === null || client_id === undefined);
  expect(byOperator.map(({ action }) => action)).toEqual(['user.reactivated', 'user.suspended']);
  expect(await eventTypesOf(api, team, id)).toContain('user.suspended');
  await expect(admin('users', 'suspend', other.id, id, ...why)).rejects.toThrow('has no user');
});
