import { createHash, createHmac, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sealAll } from '../../src/team/audit-events/sealing/seal.ts';
import {
  newKeyFile,
  openKeyring,
  parseKeyFile,
  rotateKeyFile,
} from '../../src/platform/auth/keyring.ts';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

const directory = scratchDirectory();
const keyFile = join(directory, 'keys.json');
const keys = newKeyFile();
const lines: string[] = [];
const log = createLog('info', 'worker', { write: (line) => lines.push(line) });
let api: TestApi;

beforeAll(async () => {
  writeFileSync(keyFile, JSON.stringify(keys));
  api = await startTestApi({ ONWARD_KEYS: JSON.stringify(keys) });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = keyFile;
});
afterAll(() => api.stop());

const seal = (keyring = api.keyring) => sealAll({ database: api.db.database, keyring, log });
const asOwner = (statement: string, ...values: string[]) =>
  api.db.look((sql) => sql.unsafe<any[]>(statement, values));

async function verify(team: TestTeam, ...args: string[]) {
  const output: string[] = [];
  const program = createAdmin((line) => output.push(line));
  const command = ['audit', 'verify', '--team', team.id, ...args, '--json'];
  const failure = await program.parseAsync(command, { from: 'user' }).then(
    () => '',
    (error: unknown) => String(error),
  );
  return { ...JSON.parse(output.join('\n'))[0], failure };
}

/** A team whose trail has three sealed lines. */
async function sealedTeam(): Promise<{ team: TestTeam; ids: string[] }> {
  const team = await api.newTeam();
  for (let at = 0; at < 3; at += 1) {
    await team.post('/v2/partner/users', { email: `${randomUUID()}@example.com` });
  }
  await seal();
  const events = (await team.get('/v2/partner/audit-events?sort=occurred_at')).body.data;
  return { team, ids: events.map(({ id }: any) => String(id)) };
}

/** The chain as computed with the rows but without a key. */
async function rechain(team: TestTeam, hashOf: (before: Buffer, said: string) => Buffer) {
  let before: Buffer = Buffer.alloc(32);
  const seals = await asOwner(
    `select s.number, e.* from audit_seals s join audit_events e on e.id = s.event_id
    where s.team_id = $1 order by s.number`,
    team.id,
  );
  for (const event of seals) {
    const { id, team_id, action, resource_type, resource_id, changed_fields } = event;
    const { client_id, request_id, occurred_at } = event;
    const said = [id, team_id, action, resource_type, resource_id, changed_fields, client_id];
    before = hashOf(before, JSON.stringify([...said, request_id, occurred_at]));
    await asOwner(
      `update audit_seals set hash = decode($2, 'hex') where event_id = $1`,
      id,
      before.toString('hex'),
    );
  }
}
const plainly = (before: Buffer, said: string) =>
  createHash('sha256').update(before).update(said).digest();
const forget = (id: string) =>
  asOwner(`update audit_events set action = 'user.updated' where id = $1`, id);

describe('the owner of the database cannot change the trail unseen', () => {
  test('by a chain that it computes without a key', async () => {
    const { team, ids } = await sealedTeam();
    expect(await verify(team)).toMatchObject({ lines: 3, late: 0, breaches: 0, failure: '' });
    await forget(ids[1] ?? '');
    await rechain(team, plainly);
    expect((await verify(team)).failure).toContain('its event, or the chain, was changed');
    await asOwner('alter table audit_seals drop constraint if exists audit_seals_keyed');
    await asOwner('update audit_seals set key_id = null where team_id = $1', team.id);
    expect((await verify(team)).failure).toContain('the chain ends without a keyed seal');
  });

  test('by a chain with a key of its own', async () => {
    const { team, ids } = await sealedTeam();
    await forget(ids[1] ?? '');
    await rechain(team, (before, said) =>
      createHmac('sha256', 'mine').update(before).update(said).digest(),
    );
    expect((await verify(team)).breaches).toBe(3);
    await asOwner(`update audit_seals set key_id = 'mine' where team_id = $1`, team.id);
    expect((await verify(team)).failure).toContain('the key mine of its seal is not among');
  });

  test('by a field that seals without keys did not cover', async () => {
    const { team, ids } = await sealedTeam();
    await asOwner(`update audit_events set source_ip = '192.0.2.1' where id = $1`, ids[0] ?? '');
    expect((await verify(team)).breaches).toBe(1);
    await asOwner('update audit_events set item_count = 7 where id = $1', ids[1] ?? '');
    expect((await verify(team)).breaches).toBe(2);
  });

  test('by sealing lines again: exported heads and seal times reveal the change', async () => {
    const { team, ids } = await sealedTeam();
    const heads = join(directory, 'heads.log');
    writeFileSync(heads, lines.join(''));
    expect(await verify(team, '--heads', heads)).toMatchObject({ breaches: 0 });
    await forget(ids[1] ?? '');
    await asOwner(
      `update audit_events set occurred_at = occurred_at - interval '1 day' where team_id = $1`,
      team.id,
    );
    await asOwner('delete from audit_seals where team_id = $1', team.id);
    await asOwner(
      `insert into audit_unsealed select team_id, id, occurred_at from audit_events
      where team_id = $1`,
      team.id,
    );
    await seal();
    const later = await verify(team, '--heads', heads);
    expect(later.failure).toContain('the noted line 3 is gone or another');
    expect(later).toMatchObject({ lines: 3, late: 3, breaches: 1 });
  });

  test('by removing a whole trail whose head was exported', async () => {
    const { team } = await sealedTeam();
    const heads = join(directory, 'heads.json');
    const output: string[] = [];
    await createAdmin((line) => output.push(line)).parseAsync(['audit', 'heads', '--json'], {
      from: 'user',
    });
    writeFileSync(heads, output.join('\n'));
    for (const table of ['audit_seals', 'audit_events']) {
      await asOwner(`delete from ${table} where team_id = $1`, team.id);
    }
    expect((await verify(team)).failure).toBe('');
    expect((await verify(team, '--heads', heads)).failure).toContain('is gone or another');
  });
});

test('verification needs the key of each seal: a retired key verifies and a removed key is named', async () => {
  const { team } = await sealedTeam();
  const rotated = rotateKeyFile(parseKeyFile(JSON.stringify(keys)), 'audit_seal');
  writeFileSync(keyFile, JSON.stringify(rotated));
  try {
    await team.post('/v2/partner/users', { email: `${randomUUID()}@example.com` });
    await seal(openKeyring(rotated));
    expect(await verify(team)).toMatchObject({ lines: 4, breaches: 0 });
    const [current, old] = rotated.audit_seal;
    if (!current) throw new Error('a list has a current key');
    writeFileSync(keyFile, JSON.stringify({ ...rotated, audit_seal: [current] }));
    expect((await verify(team)).failure).toContain(`the key ${String(old?.id)} of its seal`);
  } finally {
    writeFileSync(keyFile, JSON.stringify(keys));
  }
});

test('lines that were sealed without a key are verifiable under a keyed seal', async () => {
  const { team, ids } = await sealedTeam();
  await asOwner('alter table audit_seals drop constraint if exists audit_seals_keyed');
  await asOwner('update audit_seals set key_id = null where team_id = $1', team.id);
  await rechain(team, plainly);
  expect((await verify(team)).failure).toContain('the chain ends without a keyed seal');
  await team.post('/v2/partner/users', { email: `${randomUUID()}@example.com` });
  await seal();
  const upgraded = await verify(team);
  expect(upgraded).toMatchObject({ lines: 4, waiting: 0, breaches: 0, failure: '' });
  expect(upgraded.keyed_since).toMatch(/^\d{4}-\d\d-\d\dT/);
  await forget(ids[1] ?? '');
  expect((await verify(team)).breaches).toBe(1);
  await rechain(team, plainly);
  expect((await verify(team)).failure).toContain('line 4');
});
