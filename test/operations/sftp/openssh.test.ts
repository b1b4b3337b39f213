import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '../../../src/platform/observability/log.ts';
import { startSftpServer } from '../../../src/operations/sftp/server.ts';
import type { SftpServer } from '../../../src/operations/sftp/server.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { newCredential } from './a-client.ts';
import { findOpenSsh } from './openssh.ts';
import type { OpenSsh } from './openssh.ts';

let api: TestApi;
let team: TestTeam;
let server: SftpServer;
let openSsh: OpenSsh | undefined;

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  server = await startSftpServer(
    { database: api.db.database, keyring: api.keyring, log: createLog('silent', 'worker') },
    { host: '127.0.0.1', port: 0 },
  );
  openSsh = await findOpenSsh();
  if (!openSsh)
    console.warn('9 tests of SFTP do nothing: sftp, ssh-keyscan or ssh-keygen is missing');
});
afterAll(async () => {
  await openSsh?.remove();
  await server.close();
  await api.stop();
});

const csv = 'unique_id,email\n1,ada@example.com\n';

test('the sftp of OpenSSH puts, lists, renames and removes files', async () => {
  if (!openSsh) return;
  const credential = await newCredential(team);
  expect(await openSsh.trust(server.port, credential.host_key_fingerprints)).toBe(true);
  const local = join(openSsh.directory, 'june.csv');
  await writeFile(local, csv.repeat(5_000));
  const { code, output } = await openSsh.sftp(credential, server.port, [
    'pwd',
    'cd in/contacts',
    `put -p ${local}`,
    `put ${local} july.csv.part`,
    'rename july.csv.part july.csv',
    `put ${local} august.csv`,
    'rm august.csv',
    'ls -l',
    'cd ../..',
    'ls',
  ]);
  expect([code, output]).toEqual([0, expect.stringContaining('Remote working directory: /\n')]);
  expect(output).toMatch(new RegExp(`-rw-.* ${String(csv.length * 5_000)} .* june.csv`));
  expect(output).toContain('july.csv');
  const { body } = await team.get(
    `/v2/partner/sftp-uploads?filter[sftp_credential_id]=${credential.id}`,
  );
  expect(
    body.data.map(({ path, status }: Record<string, unknown>) => [path, status]).sort(),
  ).toEqual([
    ['/in/contacts/august.csv', 'received'],
    ['/in/contacts/july.csv', 'received'],
    ['/in/contacts/june.csv', 'received'],
  ]);
});

test.each([
  ['a file', 'scp -i onward -P $PORT june.csv do-00000000@$HOST:in/contacts/'],
  ['a file with its times', 'scp -p -i onward -P $PORT june.csv do-00000000@$HOST:/in/contacts/'],
  [
    'a folder that is there',
    'mkdir contacts; cp june.csv contacts/; scp -r -i onward -P $PORT contacts do-00000000@$HOST:/in/',
  ],
  [
    'a file over keys that change',
    'scp -o RekeyLimit=100K -i onward -P $PORT june.csv do-00000000@$HOST:/in/contacts/',
  ],
])('the scp of OpenSSH says that %s was sent', async (_, command) => {
  if (!openSsh) return;
  const credential = await newCredential(team);
  await openSsh.trust(server.port, credential.host_key_fingerprints);
  const content = csv.repeat(20_000);
  await writeFile(join(openSsh.directory, 'june.csv'), content);
  expect(await openSsh.paste(credential, server.port, command)).toMatchObject({ code: 0 });
  const { body } = await team.get(
    `/v2/partner/sftp-uploads?filter[sftp_credential_id]=${credential.id}`,
  );
  expect(body.data).toMatchObject([
    { path: '/in/contacts/june.csv', status: 'received', size_bytes: content.length },
  ]);
});

test('the ssh of OpenSSH ends a session without an error', async () => {
  if (!openSsh) return;
  const credential = await newCredential(team);
  await openSsh.trust(server.port, credential.host_key_fingerprints);
  const command = 'ssh -i onward -p $PORT -s do-00000000@$HOST sftp </dev/null';
  expect((await openSsh.paste(credential, server.port, command)).code).toBe(0);
});

test('the scp of OpenSSH says that a file was refused', async () => {
  if (!openSsh) return;
  const credential = await newCredential(team, { purpose: 'contacts' });
  await openSsh.trust(server.port, credential.host_key_fingerprints);
  await writeFile(join(openSsh.directory, 'june.csv'), csv);
  const command = 'scp -i onward -P $PORT june.csv do-00000000@$HOST:/in/accounts/';
  expect((await openSsh.paste(credential, server.port, command)).code).not.toBe(0);
});

test('the sftp of OpenSSH prints the reason of a refusal, and exits with a code for scripts', async () => {
  if (!openSsh) return;
  const credential = await newCredential(team, { purpose: 'contacts' });
  await openSsh.trust(server.port, credential.host_key_fingerprints);
  const local = join(openSsh.directory, 'a.csv');
  await writeFile(local, csv);
  for (const [command, says] of [
    [`put ${local} /in/contacts/a.xlsx`, 'Failure'],
    [`put ${local} /in/accounts/a.csv`, 'Permission denied'],
    [`put ${local} /../../x.csv`, 'Permission denied'],
    [`reput ${local} /in/contacts/b.csv`, ''],
    ['mkdir /in/more', 'Permission denied'],
    ['get /in/contacts/a.csv', 'not found'],
  ] as const) {
    const outcome = await openSsh.sftp(credential, server.port, [command]);
    expect([command, outcome.code, outcome.output]).toEqual([
      command,
      1,
      expect.stringContaining(says),
    ]);
  }
});

test('the sftp of OpenSSH does not connect to a server with another key', async () => {
  if (!openSsh) return;
  const credential = await newCredential(team);
  await openSsh.trust(server.port, credential.host_key_fingerprints);
  const known = join(openSsh.directory, 'known_hosts');
  const other = 'AAAAC3NzaC1lZDI1NTE5AAAAIIPZTKLd6TGoY/F7F4yqxR5aBqC0a0w2cQpRLd5A5w9C';
  const line = await readFile(known, 'utf8');
  await writeFile(known, line.replace(/AAAA\S+/, other));
  const outcome = await openSsh.sftp(credential, server.port, ['ls']);
  expect(outcome.code).toBe(255);
  expect(outcome.output).toContain('Host key verification failed');
});
