import { expect, test } from '@jest/globals';
import ssh2 from 'ssh2';
import type { InputAttributes } from 'ssh2';
import { called } from './a-client.ts';
import type { TestClient } from './a-client.ts';
import { refusalOf, useDrop } from './use-drop.ts';

const drop = useDrop();
const csv = 'unique_id,email\n1,ada@example.com\n';
const path = '/in/contacts/june.csv';

async function openWithContent({ sftp }: TestClient): Promise<Buffer> {
  const handle = await called<Buffer>((done) => sftp.open(path, 'w', done));
  await called((done) => sftp.write(handle, Buffer.from(csv), 0, csv.length, 0, done));
  return handle;
}
// The types lack the size, which is an attribute as the others.
const size = (bytes: number) => ({ size: bytes }) as unknown as InputAttributes;

test('mkdir of a folder that is there fails as with OpenSSH, and that of others is denied', async () => {
  const { sftp, end } = await drop.enter();
  const mkdir = (folder: string) => refusalOf(called((done) => sftp.mkdir(folder, done)));
  for (const folder of ['/', '/in', '/in/contacts', '/out', 'in/contacts/']) {
    expect([folder, await mkdir(folder)]).toEqual([folder, [4, 'The folder exists already.']]);
  }
  for (const folder of ['/in/contacts/more', '/in/other', '/archive']) {
    expect([folder, await mkdir(folder)]).toEqual([folder, [3, 'The folders are given.']]);
  }
  await end();
});

test('a file that is open shows the length that it has so far', async () => {
  const client = await drop.enter();
  const handle = await openWithContent(client);
  const { size: now } = await called<{ size: number }>((done) => client.sftp.lstat(path, done));
  expect(now).toBe(csv.length);
  await called((done) => client.sftp.close(handle, done));
  await client.end();
});

test('a client may append to a file that it empties', async () => {
  const client = await drop.enter();
  const { sftp } = client;
  const flags = ssh2.utils.sftp.OPEN_MODE;
  const mode = flags.WRITE | flags.APPEND | flags.CREAT | flags.TRUNC;
  const handle = await called<Buffer>((done) => sftp.open(path, mode, done));
  await called((done) => sftp.write(handle, Buffer.from(csv), 0, csv.length, 0, done));
  await called((done) => sftp.close(handle, done));
  expect(await drop.newest(path)).toMatchObject({ status: 'received', size_bytes: csv.length });
  await client.end();
});

test('setting the present length of an open file changes nothing', async () => {
  const client = await drop.enter();
  const { sftp } = client;
  const handle = await openWithContent(client);
  await called((done) => sftp.fsetstat(handle, size(csv.length), done));
  await called((done) => sftp.setstat(path, size(csv.length), done));
  await called((done) => sftp.fsetstat(handle, { mode: 0o600, uid: 0, gid: 0 }, done));
  await called((done) => sftp.close(handle, done));
  expect(await drop.newest(path)).toMatchObject({ status: 'received', size_bytes: csv.length });
  await client.end();
});

test.each([
  ['its handle', (handle: Buffer, bytes: number) => [handle, bytes] as const],
  ['its path', (_: Buffer, bytes: number) => [path, bytes] as const],
])('cutting or extending an open file by %s fails it', async (_, by) => {
  const client = await drop.enter();
  const { sftp } = client;
  for (const bytes of [csv.length - 1, csv.length + 1]) {
    const handle = await openWithContent(client);
    const [place] = by(handle, bytes);
    const set = called((done) =>
      typeof place === 'string'
        ? sftp.setstat(place, size(bytes), done)
        : sftp.fsetstat(place, size(bytes), done),
    );
    expect(await refusalOf(set)).toMatchObject({ 0: 4 });
    expect(await refusalOf(called((done) => sftp.close(handle, done)))).toMatchObject({ 0: 4 });
    expect(await drop.newest(path)).toMatchObject({ status: 'failed', error: { code: 'resized' } });
  }
  await client.end();
});

test('cutting a file that waits for its rename fails it', async () => {
  const client = await drop.enter();
  await client.put(`${path}.part`, csv);
  const cut = (bytes: number) =>
    refusalOf(called((done) => client.sftp.setstat(`${path}.part`, size(bytes), done)));
  expect(await cut(csv.length)).toBeUndefined();
  expect(await cut(3)).toMatchObject({ 0: 4 });
  expect(await refusalOf(client.rename(`${path}.part`, path))).toMatchObject({ 0: 2 });
  await client.end();
});
