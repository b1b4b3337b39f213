import { expect, test } from '@jest/globals';
import { writePart } from '../../src/operations/exports/writing/write.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';

// Ends of exports that have no file, with their events.

const api = useTestApi();
const path = '/v2/partner/exports';

/** An export that waits for a worker. */
async function anExport() {
  const team = await api.newTeam();
  await subscribe(api, team);
  const { status, body } = await team.post(path, { kind: 'contacts' });
  expect(status).toBe(202);
  return { team, id: String(body.id) };
}

test('an export that is deleted before its end is canceled, and its event shows an end', async () => {
  const { team, id } = await anExport();
  expect((await team.delete(`${path}/${id}`)).status).toBe(204);
  expect(await eventsOf(api, team, id)).toMatchObject([
    { type: 'export.canceled', data: { id, status: 'failed', error: { code: 'canceled' } } },
  ]);
  const write = api.db.database.transact((sql) => writePart(sql, api.keyring, team.id, id));
  expect(await write).toBeUndefined();
});

test('an export whose client has lost the scope of its rows fails, and says so once', async () => {
  const { team, id } = await anExport();
  await api.db.look(
    (sql) => sql`
      update clients set scopes = '{partner:exports:read}' where team_id = ${team.id} returning id`,
  );
  for (let times = 0; times < 2; times += 1) {
    await api.db.database.transact((sql) => writePart(sql, api.keyring, team.id, id));
  }
  expect(await eventsOf(api, team, id)).toMatchObject([
    { type: 'export.failed', data: { id, status: 'failed', error: { code: 'scope_missing' } } },
  ]);
});
