import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { newKeyFile, openKeyring, rotateKeyFile } from '../../../src/platform/auth/keyring.ts';
import { aLaunchedTemplate, at, inHours } from '../../campaigns/a-template.ts';
import { startCodecServer } from '../../commands/a-codec-server.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { samplesRunBy } from '../../site/samples.ts';
import { environmentNames, required } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import { runTemporalCommands } from '../../support/temporal-shell.ts';
import { newNamespace, startTestWorker } from '../../support/worker.ts';
import { jobId } from '../../../src/platform/jobs/shape.ts';
import { templateJob } from '../../../workflows/jobs.ts';

const api = useTestApi();
const root = scratchDirectory();
const first = newKeyFile();
const second = rotateKeyFile(first, 'temporal_codec');
let connection: Connection;

beforeAll(async () => {
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
});
afterAll(() => connection.close());

interface StoredPayload {
  metadata: Record<string, string>;
  data: string;
}

const base64 = (bytes: unknown) =>
  bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : '';
const textOf = (encoded = '') => Buffer.from(encoded, 'base64').toString();

/** Every payload in the events but search attributes and headers, which are not encrypted. */
function payloadsIn(value: unknown): StoredPayload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  const fields = Object.entries(value);
  const metadata = new Map(fields).get('metadata');
  if (metadata && 'encoding' in metadata) {
    const named = Object.entries(metadata).map(([name, bytes]) => [name, base64(bytes)]);
    return [{ metadata: Object.fromEntries(named), data: base64(new Map(fields).get('data')) }];
  }
  return fields.flatMap(([name, field]) =>
    name === 'searchAttributes' || name === 'header' ? [] : payloadsIn(field),
  );
}

test('histories have ciphertext only, across a rotation, until encryption is switched off', async () => {
  const namespace = await newNamespace();
  const client = new Client({ connection, namespace });
  const team = await api.newTeam();
  const stored = async (id: string) => {
    const handle = client.workflow.getHandle(jobId(templateJob, id));
    const { events } = await handle.fetchHistory();
    return (events ?? []).map(payloadsIn);
  };
  const countOf = (payloads: StoredPayload[][]) => payloads.flat().length;

  const before = await startTestWorker(api, {
    namespace,
    encrypts: true,
    keyring: openKeyring(first),
  });
  const id = await aLaunchedTemplate(team, { deadline_at: inHours(1) });
  const atFirst = await eventually(
    () => stored(id).catch(() => []),
    (payloads) => countOf(payloads) > 6,
  );
  await before.close();
  const encodings = new Set(atFirst.flat().map(({ metadata }) => textOf(metadata['encoding'])));
  expect([...encodings]).toEqual(['binary/encrypted']);
  expect(JSON.stringify(atFirst.flat().map(({ data }) => textOf(data)))).not.toContain(id);

  const after = await startTestWorker(api, {
    namespace,
    encrypts: true,
    keyring: openKeyring(second),
  });
  await team.post(at(id, '/pause'));
  const keyIds = (payloads: StoredPayload[][]) =>
    new Set(payloads.flat().map(({ metadata }) => textOf(metadata['encryption-key-id'])));
  const rotated = await eventually(
    () => stored(id),
    (payloads) => keyIds(payloads).size > 1,
  );
  await after.close();
  expect(keyIds(rotated)).toEqual(
    new Set([first.temporal_codec[0]?.id, second.temporal_codec[0]?.id]),
  );

  process.env['ONWARD_KEYS_FILE'] = join(root, 'keys.json');
  writeFileSync(join(root, 'keys.json'), JSON.stringify(second));
  writeFileSync(join(root, 'token'), 'f'.repeat(64));
  const server = await startCodecServer('--token-file', join(root, 'token'));
  const [sample] = samplesRunBy(
    'docs/operators.md',
    'test/platform/temporal/payload-codec.test.ts',
  );
  const command = sample?.text.replace('<id>', id).replace('https://codec.example.com', server.url);
  const shown = await runTemporalCommands(command ?? '', { directory: root, namespace });
  await server.close();
  expect(shown).toContain(`id: ${id}`);

  const off = await startTestWorker(api, { namespace, keyring: openKeyring(second) });
  await team.post(at(id, '/archive'));
  const result = await eventually(
    async () =>
      (await stored(id)).flat().find(({ data }) => textOf(data).includes('"outcome":"archived"')),
    (payload) => payload !== undefined,
  );
  await off.close();
  expect(textOf(result?.metadata['encoding'])).toBe('json/plain');
});
