// Every listener of the product in a process of its own, which says what it holds.
import { startApi } from '../../../src/app/start-api.ts';
import { serveMonitoring } from '../../../src/meta/monitoring.ts';
import { startSftpServer } from '../../../src/operations/sftp/server.ts';
import { loadKeyring } from '../../../src/platform/auth/key-source.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { listen } from '../../../src/platform/http/listen.ts';
import { createLog } from '../../../src/platform/observability/log.ts';

const { TLS_OF_TEST = '', DATABASE_URL: databaseUrl = '' } = process.env;
const read = readConfig({ development: true });
// A client that does nothing is closed within a second instead of a minute.
const http = { ...read.http, headersTimeoutMs: 1_000, stalledMs: 1_000 };
const config = { ...read, host: '127.0.0.1', port: 0, http, databaseUrl };
const keyring = loadKeyring(config);
const log = createLog('fatal', 'api');
const api = await startApi(config, keyring, log);
const { database } = api;
const place = { host: config.host, port: 0 };
const tls = { certFile: `${TLS_OF_TEST}.crt`, keyFile: `${TLS_OF_TEST}.key` };
// As long as the answers of lists, so that a client that reads nothing stops it.
const answer = 'ok'.repeat(200_000);
const secure = await listen((_, response) => response.end(answer), { ...place, tls, http });
const metrics = await serveMonitoring({ ...config, metricsPort: 0 }, { database });
const sftp = await startSftpServer(
  { database, keyring, log },
  { ...place, handshakeMs: 1_000, graceMs: 0 },
);

/** Answers with the connections that are open and the bytes that are in use after a collection. */
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({
    connections: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    bytes: heapUsed + external,
    isSftpFull: sftp.isFull(),
  });
});
process.send?.({
  api: Number(new URL(api.url).port),
  tls: secure.port,
  metrics: metrics.port,
  sftp: sftp.port,
});
