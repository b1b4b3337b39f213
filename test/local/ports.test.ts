import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { choosePort, findFreePort } from '../../src/local/ports.ts';

async function listen(host: string) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
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
