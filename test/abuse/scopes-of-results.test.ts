import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aBatch, badItem, batchPath, whenRun } from '../operations/runs/a-run.ts';
import { startTestApi } from '../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
});

/** Looks a contact up in the background by an unknown key; returns the location of the run. */
async function aLookup(): Promise<string> {
  const unique_id = randomUUID();
  await team.post('/v2/partner/contacts', { unique_id, first_name: 'Augusta' });
  const asked = await team.call('POST', '/v2/ipaas/operations/contacts.lookup/execute', {
    headers: { Prefer: 'respond-async' },
    body: { items: [{ unique_id }] },
  });
  expect(asked.status).toBe(202);
  const path = String(asked.headers.get('location'));
  expect(await whenRun(team, path)).toMatchObject({ status: 'succeeded' });
  return path;
}
const refusal = ({ status, body }: Reply) => [
  status,
  body.errors?.[0].code,
  body.errors?.[0].meta.required_scope,
];
const contactsAreMissing = [401, 'scope_missing', 'partner:contacts:read'];

describe('a client that may only read executions', () => {
  test('reads the state of an execution, but no results that need scopes of the operation', async () => {
    const path = await aLookup();
    const reader = await team.withScopes('ipaas:operations:read');
    expect((await reader.get(path)).body).toMatchObject({
      operation_kind: 'contacts.lookup',
      status: 'succeeded',
      summary: { total: 1, succeeded: 1 },
    });
    expect(refusal(await reader.get(`${path}/result`))).toEqual(contactsAreMissing);
    expect(refusal(await reader.get(`${path}/items`))).toEqual(contactsAreMissing);

    const entitled = await team.withScopes('ipaas:operations:read', 'partner:contacts:read');
    const result = await entitled.get(`${path}/result`);
    expect(JSON.stringify(result.body)).toContain('Augusta');
    expect((await entitled.get(`${path}/items`)).body.data).toHaveLength(1);
  });

  test('does not read results of an execution that was recorded before scopes were stored', async () => {
    const path = await aLookup();
    const [run] = await team.db.look<{ scopes: string[] }>(
      (sql) => sql`
        update operation_runs set needed_scopes = scopes where team_id = ${team.id}
        returning scopes`,
    );
    expect(run?.scopes).toContain('partner:contacts:read');
    const reader = await team.withScopes('ipaas:operations:read', 'partner:contacts:read');
    expect((await reader.get(`${path}/result`)).status).toBe(401);
  });
});

test('a client that may only read batches reads no results and no text of their files', async () => {
  const path = await aBatch(team, { items: [badItem('bad')] });
  await whenRun(team, path);
  const id = path.split('/').at(-1) ?? '';
  await team.db.look(
    (sql) => sql`
      update operation_runs set error = '{"code":"upload_unreadable","detail":"Augusta"}'
      where team_id = ${team.id} and id = ${id}`,
  );
  const reader = await team.withScopes('batch:operations:read');
  for (const part of ['items', 'errors.csv']) {
    expect(refusal(await reader.get(`${path}/${part}`))).toEqual([
      401,
      'scope_missing',
      'partner:contacts:write',
    ]);
  }
  const blind = await team.withScopes('batch:operations:read', 'partner:contacts:write');
  // Results say what a client that reads contacts has found.
  expect(refusal(await blind.get(`${path}/items`))).toEqual(contactsAreMissing);
  const writer = await team.withScopes(
    ...['batch:operations:read', 'partner:contacts:write', 'partner:contacts:read'],
  );
  expect((await writer.get(path)).body.error.detail).toBe('Augusta');
  expect((await writer.get(batchPath)).body.data[0].error.detail).toBe('Augusta');
  expect((await writer.get(`${path}/items`)).body.data).toHaveLength(1);
  for (const one of [(await reader.get(path)).body, (await reader.get(batchPath)).body.data[0]]) {
    expect(one).toMatchObject({ id, status: 'failed', failed_count: 1 });
    expect(one).not.toHaveProperty('error');
  }
});
