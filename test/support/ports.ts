import { isPortFree } from '../../src/local/ports.ts';

const portsOfAProcess = 16;
let next = 12_000 + (process.pid % 1_000) * portsOfAProcess;

/**
 * Free ports for servers that start later. They lie below the range from which the system takes
 * ports of outgoing connections: one of those could take a port before its server starts or while
 * it is down, or connect to itself.
 */
export async function takePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (; ports.length < count; next += 1) {
    if (await isPortFree(next)) ports.push(next);
  }
  return ports;
}

export async function takePort(): Promise<number> {
  const [port = 0] = await takePorts(1);
  return port;
}
