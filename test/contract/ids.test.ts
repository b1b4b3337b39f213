import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import { errorsOf } from './answers.ts';

const api = useTestApi();

/** For one endpoint: all endpoints read their ids in one place; isolate.ts tries each. */
const moreMalformedIds = ['123', 'null', '%ff', '..%2f', '%27%20or%201=1', 'a'.repeat(4_000)];

test('a malformed id is answered like an unknown one', async () => {
  const team = await api.newTeam();
  const unknown = await team.get(`/v2/partner/contacts/${randomUUID()}`);
  for (const value of moreMalformedIds) {
    const reply = await team.get(`/v2/partner/contacts/${value}`);
    expect(reply.status).toBe(404);
    expect(errorsOf(reply)).toEqual(errorsOf(unknown));
  }
});
