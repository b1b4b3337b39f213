import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Egress } from '../../../src/platform/egress/client.ts';
import { fetchDueFile } from '../../../src/operations/sftp/fetching/fetch.ts';
import type { FetchOutlook } from '../../../src/operations/sftp/fetching/fetch.ts';
import { fetchLimits } from '../../../src/operations/sftp/fetching/rules.ts';
import type { FetchLimits } from '../../../src/operations/sftp/fetching/rules.ts';
import type { TestReceiver } from '../../inbound/a-receiver.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { password, user } from './a-managed-server.ts';
import type { ManagedServer } from './a-managed-server.ts';

export const sourcesPath = '/v2/partner/file-sources';

/** The body of a source for a managed server, whose `server_id` no other source of a test has. */
export const aSource = (server: Pick<ManagedServer, 'port' | 'hostKey'>, fields: object = {}) => ({
  name: 'Core banking',
  source_kind: 'sftp',
  server_id: `s-${randomUUID()}`,
  purpose: 'contacts',
  host: '127.0.0.1',
  port: server.port,
  base_path: '/home/bank',
  username: user,
  password,
  host_key_fingerprints: [server.hostKey],
  ...fields,
});

export interface TestSource {
  id: string;
  server_id: string;
}

export async function newSource(team: TestTeam, body: object): Promise<TestSource> {
  const reply = await team.post(sourcesPath, body);
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

/** A callback about a file, and its delivery. */
export async function tellOf(
  receiver: TestReceiver,
  source: Pick<TestSource, 'server_id'>,
  fields: object = {},
): Promise<Record<string, any>> {
  const now = new Date().toISOString();
  const reply = await receiver.send({
    kind: 'file_transfer_a',
    event_type: 'file_uploaded',
    server_id: source.server_id,
    username: 'bank',
    path: '/inbox/june.csv',
    upload_started_at: now,
    upload_completed_at: now,
    raw_topic_message_id: randomUUID(),
    ...fields,
  });
  expect(reply.status).toBe(200);
  const { data } = await receiver.deliveries();
  return data.find(({ id }: { id: string }) => id === reply.body.delivery_id);
}

/** The uploads of a source, the newest first. */
export async function uploadsOf(
  team: TestTeam,
  source: TestSource,
): Promise<Record<string, any>[]> {
  const path = `/v2/partner/sftp-uploads?filter[file_source_id]=${source.id}`;
  return (await team.get(path)).body.data;
}

export interface Attempt {
  limits?: Partial<FetchLimits>;
  scheduleMs?: readonly number[];
  stopping?: AbortSignal;
}

/** An attempt to fetch, as a worker makes it. */
export function attemptFetch(
  api: TestApi,
  egress: Egress,
  team: TestTeam,
  uploadId: string,
  { limits, scheduleMs = [], stopping = new AbortController().signal }: Attempt = {},
): Promise<FetchOutlook> {
  return fetchDueFile(
    {
      database: api.db.database,
      keyring: api.keyring,
      egress,
      limits: { ...fetchLimits, ...limits },
      scheduleMs,
      stopping,
    },
    { teamId: team.id, uploadId, asOfMs: Date.now() + 60_000 },
  );
}

/** Makes an attempt, and returns the only file of a source after it. */
export async function fetched(
  api: TestApi,
  egress: Egress,
  team: TestTeam,
  source: TestSource,
  how: Attempt = {},
): Promise<Record<string, any>> {
  const [upload] = await uploadsOf(team, source);
  await attemptFetch(api, egress, team, String(upload?.['id']), how);
  const [after = {}] = await uploadsOf(team, source);
  return after;
}
