import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { TestTeam } from '../support/api.ts';
import { verdictOf } from './answers.ts';
import type { Check } from './check.ts';
import type { Neighbors } from './isolation.ts';

// An endpoint that accepts a file instead of JSON has no sample; there is one such endpoint.

const takesFile = ({ stream }: Endpoint) => stream !== undefined;
const send = (caller: TestTeam, { method, path }: Endpoint) =>
  caller.call(method, path, {
    raw: 'unique_id\na\n',
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': randomUUID() },
  });

/** The scope is checked before a byte is stored. */
async function tryScope({ team, without, cells }: Neighbors, endpoint: Endpoint): Promise<void> {
  const { id, scope, status } = endpoint;
  await cells.cell(`${id}: ${scope} is missing`, async () => {
    const reply = await send(await without(scope), endpoint);
    expect(verdictOf(reply)).toBe('401 scope_missing');
    expect(reply.body.errors[0].meta.required_scope).toBe(scope);
    expect(verdictOf(await send(team, endpoint))).toBe(String(status));
  });
}

/** The limit of simultaneous uploads applies to each team separately. */
async function tryReceiving({ team, rows, cells }: Neighbors, endpoint: Endpoint): Promise<void> {
  const [row] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
      insert into uploads (team_id, format, expires_at)
      values (${team.id}, 'csv', now() + interval '1 hour')
      returning id`,
  );
  const crowd = await rows.crowd('uploads', { teamId: team.id, id: String(row?.id) }, 10);
  await cells.cell(`${endpoint.id}: what others send uses up no quota`, async () => {
    expect(verdictOf(await send(team, endpoint))).toBe(String(endpoint.status));
  });
  await rows.disperse('uploads', crowd);
}

export const streamChecks: readonly Check[] = [
  {
    title: 'a file of a client without the scope is refused',
    about: 'scopes',
    appliesTo: takesFile,
    run: tryScope,
  },
  {
    title: 'the files of other teams use up no quota',
    about: 'teams',
    appliesTo: takesFile,
    run: tryReceiving,
  },
];
