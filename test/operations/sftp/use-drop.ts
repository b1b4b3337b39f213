import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { ConnectConfig } from 'ssh2';
import { createLog } from '../../../src/platform/observability/log.ts';
import { startSftpServer } from '../../../src/operations/sftp/server.ts';
import type { SftpServer } from '../../../src/operations/sftp/server.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { connect, newCredential } from './a-client.ts';
import type { TestClient, TestCredential } from './a-client.ts';

/** A file as the API shows it. */
export interface ShownUpload {
  id: string;
  path: string;
  status: string;
  size_bytes?: number;
  sha256?: string;
  batch_operation_id?: string;
  error?: { code: string; detail: string };
  warning?: { code: string; detail: string };
}

export interface Drop {
  api: TestApi;
  server: SftpServer;
  team: TestTeam;
  credential: TestCredential;
  enter(how?: ConnectConfig): Promise<TestClient>;
  /** The files of the credential, the newest first. */
  uploads(): Promise<ShownUpload[]>;
  newest(path: string): Promise<ShownUpload | undefined>;
}

/** A drop with credentials of a new team for each test of the file. */
export function useDrop(): Drop {
  const api = useTestApi();
  const drop: Drop = {
    api,
    server: undefined as unknown as SftpServer,
    team: undefined as unknown as TestTeam,
    credential: undefined as unknown as TestCredential,
    enter: (how) => connect(drop.server.port, drop.credential, how),
    async uploads() {
      const list = `/v2/partner/sftp-uploads?filter[sftp_credential_id]=${drop.credential.id}`;
      const { body } = await drop.team.get(`${list}&page[size]=100`);
      return body.data;
    },
    newest: async (path) => (await drop.uploads()).find((upload) => upload.path === path),
  };
  beforeAll(async () => {
    const log = createLog('silent', 'worker');
    const dependencies = { database: api.db.database, keyring: api.keyring, log };
    drop.server = await startSftpServer(dependencies, { host: '127.0.0.1', port: 0, graceMs: 0 });
  });
  beforeEach(async () => {
    drop.team = await api.newTeam();
    drop.credential = await newCredential(drop.team);
  });
  afterAll(() => drop.server.close());
  return drop;
}

export const digestOf = (content: string | Buffer) =>
  createHash('sha256').update(content).digest('hex');

/** The code and the text of a refusal; undefined for work that is done. */
export const refusalOf = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => [Reflect.get(Object(error), 'code'), Reflect.get(Object(error), 'message')],
  );
