import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { runEntry } from '../../commands/spawn.ts';
import { takePort } from '../../support/ports.ts';

const serve = async (host: string, port: number) => {
  const entry = 'test/platform/temporal/install-runtime-fixture.ts';
  return (await runEntry(entry, [host, String(port)], {})).stdout;
};

test('metrics of the SDK are served at an IPv4 and at an IPv6 address', async () => {
  expect(await serve('127.0.0.1', await takePort())).toBe('served\n');
  expect(await serve('::1', await takePort())).toBe('served\n');
});

test('a port that is taken and a host that is no address are errors that name the setting', async () => {
  const port = await takePort();
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  expect(await serve('127.0.0.1', port)).toContain('- TEMPORAL_METRICS_PORT cannot be served');
  server.close();
  expect(await serve('localhost', port)).toContain('- TEMPORAL_METRICS_PORT cannot be served');
});
