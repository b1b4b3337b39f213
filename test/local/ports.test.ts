import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { choosePort, findFreePort, nextFreePort, onFreePort } from '../../src/local/ports.ts';

async function listen(host: string, wanted = 0) {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wanted, host, resolve);
  });
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
}

test('a free port is used unchanged', async () => {
  const port = await findFreePort();
  await expect(choosePort('the API', port, 'PORT')).resolves.toBe(port);
});

test.each(['127.0.0.1', '0.0.0.0'])(
  'a port held on %s is refused with its use, its holder and the setting that changes it',
  async (host) => {
    const { server, port } = await listen(host);
    const refusal = choosePort('the API', port, 'PORT');
    await expect(refusal).rejects.toThrow(`Port ${String(port)}, wanted for the API`);
    await expect(choosePort('the API', port, 'PORT')).rejects.toThrow(
      new RegExp(`process ${String(process.pid)} .*PORT`),
    );
    server.close();
  },
);

test('the next free port is the one after those that are taken', async () => {
  const port = await findFreePort();
  expect(await nextFreePort(port)).toBe(port);
  const { server } = await listen('127.0.0.1', port);
  const next = await nextFreePort(port);
  expect(next).toBeGreaterThan(port);
  await expect(
    listen('127.0.0.1', next).then((held) => held.server.close()),
  ).resolves.toBeDefined();
  server.close();
});

test('a port that another program takes before the start is no reason to fail', async () => {
  const held = await listen('127.0.0.1');
  const wanted = [held.port, 0];
  const started = await onFreePort(() => listen('127.0.0.1', wanted.shift()));
  expect(started.port).not.toBe(held.port);
  await expect(onFreePort(() => listen('127.0.0.1', held.port))).rejects.toThrow('EADDRINUSE');
  for (const { server } of [held, started]) server.close();
});
