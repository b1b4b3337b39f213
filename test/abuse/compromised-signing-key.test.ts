import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { startApi } from '../../src/app/start-api.ts';
import type { ApiProcess } from '../../src/app/start-api.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { reloadAfterMs } from '../../src/platform/auth/signing-keys.ts';
import { callerTtlMs } from '../../src/platform/auth/tokens.ts';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { noteAnswer } from '../reach/record.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

const file = join(scratchDirectory(), 'keys.json');
let api: TestApi;
let second: ApiProcess;

beforeAll(async () => {
  const keys = JSON.stringify(newKeyFile());
  writeFileSync(file, keys);
  api = await startTestApi({ ONWARD_KEYS: keys });
  second = await startApi(api.config, api.keyring, createLog('silent', 'api'), {
    onAnswer: noteAnswer,
  });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = file;
});
afterAll(async () => {
  await second.close();
  await api.stop();
});

async function admin(...args: string[]) {
  const lines: string[] = [];
  const program = createAdmin((line) => lines.push(line));
  await program.parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
}
const use = async (base: string, token: string) =>
  (await fetch(`${base}/v2/meta/capabilities`, { headers: { Authorization: `Bearer ${token}` } }))
    .status;
const kidOf = (token: string) => String(decodeProtectedHeader(token).kid);
const publishedBy = async (base: string): Promise<string[]> => {
  const reply: any = await (await fetch(`${base}/.well-known/jwks.json`)).json();
  return reply.keys.map(({ kid }: any) => kid);
};

test('tokens of a stolen signing key are refused by every process within ten seconds', async () => {
  expect(reloadAfterMs + callerTtlMs).toBeLessThan(10_000);
  const team = await api.newTeam();
  for (const base of [api.url, second.url]) expect(await use(base, team.token)).toBe(200);
  const stolen = kidOf(team.token);
  const { revoked, new_key: made } = await admin('keys', 'revoke-signing', stolen);
  expect([revoked, typeof made]).toEqual([stolen, 'string']);
  for (const base of [api.url, second.url]) {
    await eventually(
      () => use(base, team.token),
      (status) => status === 401,
    );
    expect(await publishedBy(base)).toEqual([made]);
  }
  const fresh = await team.withScopes('meta:capabilities:read');
  expect(kidOf(fresh.token)).toBe(made);
  for (const base of [api.url, second.url]) expect(await use(base, fresh.token)).toBe(200);
});

test('a revoked key that did not sign leaves the current one alone', async () => {
  const before = kidOf((await api.newTeam()).token);
  await admin('keys', 'rotate-signing', '--delay-seconds', '3600');
  const rows = await admin('keys', 'list');
  const upcoming = rows.find(({ state }: any) => state === 'upcoming').id;
  const { new_key } = await admin('keys', 'revoke-signing', upcoming);
  // The current one was about to retire, so that another must follow it.
  expect(new_key).not.toBeNull();
  expect(new_key).not.toBe(before);
  const spare = await admin('keys', 'rotate-signing', '--delay-seconds', '0');
  const again = await admin('keys', 'revoke-signing', new_key);
  expect([again.revoked, again.new_key, spare.id]).toEqual([new_key, null, spare.id]);
});

test('a key that is not accepted is named', async () => {
  const unknown = randomUUID();
  await expect(admin('keys', 'revoke-signing', unknown)).rejects.toThrow('see `keys list`');
});
