import { describe, expect, test } from '@jest/globals';
import { readDigest, readFileName } from '../../../src/operations/sftp/file-names.ts';
import { called } from './a-client.ts';
import { digestOf, refusalOf, useDrop } from './use-drop.ts';

const kindOf = (name: string) => readFileName(name).kind;

test.each([
  ['rclone', 'june.csv.29c74392.partial'],
  ['lftp', '.in.june.csv'],
  ['NiFi', '.june.csv'],
  ['rsync', '.june.csv.Xa81bC'],
  ['WinSCP', 'june.csv.filepart'],
  ['Spring Integration', 'june.csv.writing'],
  ['Camel', 'june.csv.inprogress'],
  ['a browser', 'june.csv.crdownload'],
  ['Cyberduck', 'june.csv-Kq2Zp1Xw'],
  ['an uploader', 'june.uploading'],
  ['a prefix', 'tmp_june.csv'],
  ['a prefix with a hyphen', 'TMP-june.ndjson'],
  ['an office program', '~$june.csv'],
  ['an editor', 'june.csv~'],
  ['an unknown program', 'june.ndjson.a-b_c'],
])('a name of %s is temporary', (_, name) => {
  expect([name, kindOf(name)]).toEqual([name, 'temporary']);
});

test.each([
  ['june.csv', 'final'],
  ['JUNE.CSV', 'final'],
  ['june.2026-06-01.ndjson', 'final'],
  ['tmpl.csv', 'final'],
  ['template_june.csv', 'final'],
  ['june.csv.sha256', 'digest'],
  ['june.csv.gz', 'refused'],
  ['june.csv.pgp', 'refused'],
  ['june.csv.md5', 'refused'],
  ['june.csv.done', 'refused'],
  ['june.csvx', 'refused'],
  ['june.xlsx', 'refused'],
  ['june.sha256', 'refused'],
  ['june\u0001.csv.part', 'refused'],
])('%j is %s', (name, kind) => {
  expect(kindOf(name)).toBe(kind);
});

test('a digest is bare, or in a line of a program', () => {
  const digest = digestOf('june');
  for (const text of [
    digest,
    `${digest.toUpperCase()}\r\n`,
    `${digest}  june.csv\n`,
    `${digest} *june.csv\n`,
    `SHA256 (june.csv) = ${digest}\n`,
  ]) {
    expect([text, readDigest(text)]).toEqual([text, digest]);
  }
  for (const text of ['', digest.slice(1), `${digest}0`, `${digest}\n${digestOf('july')}\n`]) {
    expect([text, readDigest(text)]).toEqual([text, undefined]);
  }
});

describe('in the drop', () => {
  const drop = useDrop();
  const csv = 'unique_id,email\n1,ada@example.com\n';

  test('a file waits under each temporary name, and its rename begins the import', async () => {
    const client = await drop.enter();
    const names = ['.a.csv', 'tmp_b.csv', 'c.csv.29c74392.partial', 'd.writing'];
    for (const [at, name] of names.entries()) {
      await client.put(`/in/contacts/${name}`, csv);
      const { size } = await called<{ size: number }>((done) =>
        client.sftp.stat(`/in/contacts/${name}`, done),
      );
      expect(size).toBe(csv.length);
      expect(await drop.newest(`/in/contacts/${name}`)).toMatchObject({ status: 'receiving' });
      await client.rename(`/in/contacts/${name}`, `/in/contacts/${String(at)}.csv`);
    }
    const uploads = await drop.uploads();
    expect(uploads.map(({ path, status }) => [path, status])).toEqual(
      [3, 2, 1, 0].map((at) => [`/in/contacts/${String(at)}.csv`, 'received']),
    );
    expect(uploads.every((upload) => upload.batch_operation_id)).toBe(true);
    await client.end();
  });

  test('the rename of an imported file changes its name, and begins no other import', async () => {
    const client = await drop.enter();
    await client.put('/in/contacts/june_incomplete.csv', csv);
    const [before] = await drop.uploads();
    await client.rename('/in/contacts/june_incomplete.csv', '/in/contacts/june.csv');
    expect(await drop.uploads()).toMatchObject([
      { id: before?.id, path: '/in/contacts/june.csv', status: 'received' },
    ]);
    expect(await client.names('/in/contacts')).toEqual(['june.csv']);
    const { size } = await called<{ size: number }>((done) =>
      client.sftp.lstat('/in/contacts/june.csv', done),
    );
    expect(size).toBe(csv.length);
    await client.end();
  });

  test('a rename replaces a file with the new name', async () => {
    const client = await drop.enter();
    await client.put('/in/contacts/june.csv', csv);
    await client.put('/in/contacts/july.csv', `${csv}2,grace@example.com\n`);
    await client.rename('/in/contacts/june.csv', '/in/contacts/july.csv');
    expect(await client.list('/in/contacts')).toMatchObject([
      { filename: 'july.csv', attrs: { size: csv.length } },
    ]);
    await client.put('/in/contacts/a.tmp', 'unique_id\n1\n');
    await client.put('/in/contacts/b.tmp', 'unique_id\n2\n');
    await client.rename('/in/contacts/a.tmp', '/in/contacts/b.tmp');
    await client.rename('/in/contacts/b.tmp', '/in/contacts/b.csv');
    expect(await drop.newest('/in/contacts/b.csv')).toMatchObject({
      sha256: digestOf('unique_id\n1\n'),
    });
    expect(await drop.newest('/in/contacts/b.tmp')).toMatchObject({
      status: 'failed',
      error: { code: 'replaced' },
    });
    await client.end();
  });

  test('posix-rename@openssh.com renames, though it is not announced', async () => {
    const client = await drop.enter();
    await client.put('/in/contacts/.june.csv', csv);
    const names = ['/in/contacts/.june.csv', '/in/contacts/june.csv'] as const;
    const buffer: unknown = Reflect.get(client.sftp, '_extensions');
    Reflect.set(client.sftp, '_extensions', { 'posix-rename@openssh.com': '1' });
    await called((done) => client.sftp.ext_openssh_rename(...names, done));
    Reflect.set(client.sftp, '_extensions', buffer);
    expect(await drop.newest('/in/contacts/june.csv')).toMatchObject({ status: 'received' });
    await client.end();
  });

  test('a file that is renamed while it is open is imported under its new name', async () => {
    const client = await drop.enter();
    const { sftp } = client;
    const handle = await called<Buffer>((done) => sftp.open('/in/contacts/.june.csv', 'w', done));
    await called((done) => sftp.write(handle, Buffer.from(csv), 0, csv.length, 0, done));
    await client.rename('/in/contacts/.june.csv', '/in/contacts/june.csv');
    expect(await drop.newest('/in/contacts/june.csv')).toMatchObject({ status: 'receiving' });
    await called((done) => sftp.close(handle, done));
    expect(await drop.newest('/in/contacts/june.csv')).toMatchObject({ status: 'received' });
    await client.end();
  });

  test('a name that is gone cannot be renamed', async () => {
    const client = await drop.enter();
    await client.put('/in/contacts/june.csv.part', csv);
    await client.remove('/in/contacts/june.csv.part');
    expect(
      await refusalOf(client.rename('/in/contacts/june.csv.part', '/in/contacts/june.csv')),
    ).toEqual([2, 'No such file.']);
    await client.end();
  });
});
