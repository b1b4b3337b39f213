import type { Config } from '../../platform/config.ts';
import { choosePort, nextFreePort } from '../../local/ports.ts';
import { say } from './progress.ts';

type Address = Pick<Config, 'port' | 'publicBaseUrl'>;

/**
 * The configured address of the API. Where none is given, the usual port, or the next one that is
 * free.
 */
export async function chooseApiAddress({
  port: usual,
  publicBaseUrl,
  hasGivenAddress,
}: Address & Pick<Config, 'hasGivenAddress'>): Promise<Address> {
  if (hasGivenAddress) return { port: await choosePort('the API', usual, 'PORT'), publicBaseUrl };
  const port = await nextFreePort(usual);
  if (port === usual) return { port, publicBaseUrl };
  say(`Port ${String(usual)} is taken: the API uses ${String(port)}. PORT chooses another.`);
  return { port, publicBaseUrl: `http://127.0.0.1:${String(port)}` };
}
