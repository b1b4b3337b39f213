import { expect, test } from '@jest/globals';
import { createLog } from '../../../src/platform/observability/log.ts';
import { endAbandoned } from '../../../src/operations/sftp/upload-status.ts';
import { digestOf, refusalOf, useDrop } from './use-drop.ts';

const drop = useDrop();
const csv = 'unique_id,email\n1,ada@example.com\n2,grace@example.com\n';
const path = '/in/contacts/june.csv';
const digestPath = `${path}.sha256`;

const states = async () =>
  (await drop.uploads()).map(({ path: of, status, error }) => [of, status, error?.code]);

test('a file with the digest that came before it is imported', async () => {
  const client = await drop.enter();
  await client.put(digestPath, `${digestOf(csv)}  june.csv\n`);
  await client.put(path, csv);
  expect(await states()).toEqual([
    [path, 'received', undefined],
    [digestPath, 'processed', undefined],
  ]);
  await client.end();
});

test('a file that is cut off is not imported, and its digest waits for the whole one', async () => {
  const client = await drop.enter();
  await client.put(digestPath, digestOf(csv));
  expect(await refusalOf(client.put(path, csv.slice(0, -9)))).toEqual([
    4,
    'The file does not match its .sha256 file. Upload it again.',
  ]);
  await client.put(`${path}.part`, csv.slice(1));
  expect(await refusalOf(client.rename(`${path}.part`, path))).toMatchObject({ 0: 4 });
  await client.put(path, csv);
  expect(await states()).toEqual([
    [path, 'received', undefined],
    [path, 'failed', 'digest_mismatch'],
    [path, 'failed', 'digest_mismatch'],
    [digestPath, 'processed', undefined],
  ]);
  const stored = await drop.api.db.look(
    (sql) => sql`select id from uploads where team_id = ${drop.team.id}`,
  );
  expect(stored).toHaveLength(1);
  await client.end();
});

test('a digest is renamed from a temporary name as a file is', async () => {
  const client = await drop.enter();
  await client.put(`${digestPath}.ab12.partial`, digestOf(csv));
  await client.rename(`${digestPath}.ab12.partial`, digestPath);
  expect(await refusalOf(client.put(path, `${csv}\n`))).toMatchObject({ 0: 4 });
  await client.put(path, csv);
  await client.end();
});

test('a digest that comes after its file ends, and another one waits', async () => {
  const client = await drop.enter();
  await client.put(path, csv);
  await client.put(digestPath, digestOf(csv));
  expect(await states()).toEqual([
    [digestPath, 'processed', undefined],
    [path, 'received', undefined],
  ]);
  await client.put(digestPath, digestOf('tomorrow'));
  expect(await drop.newest(digestPath)).toMatchObject({ status: 'receiving' });
  await client.end();
});

test('the newest digest counts, and one without a SHA-256 is refused', async () => {
  const client = await drop.enter();
  await client.put(digestPath, digestOf('yesterday'));
  expect(await refusalOf(client.put(digestPath, digestOf(csv).slice(1)))).toMatchObject({ 0: 4 });
  await client.put(digestPath, digestOf(csv));
  await client.put(path, csv);
  expect(await states()).toEqual([
    [path, 'received', undefined],
    [digestPath, 'processed', undefined],
    [digestPath, 'failed', 'digest_malformed'],
    [digestPath, 'failed', 'replaced'],
  ]);
  await client.end();
});

test('a digest without its file ends after a day', async () => {
  const client = await drop.enter();
  await client.put(digestPath, digestOf(csv));
  await drop.api.db.look(
    (sql) => sql`
      update sftp_uploads set updated_at = now() - interval '25 hours'
      where team_id = ${drop.team.id}`,
  );
  expect(await endAbandoned(drop.api.db.database, 10, createLog('silent', 'worker'))).toBe(1);
  expect(await states()).toEqual([[digestPath, 'failed', 'digest_unused']]);
  await client.put(path, csv);
  await client.end();
});
