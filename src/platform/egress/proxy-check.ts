import { ConfigError } from '../config.ts';
import type { Log } from '../observability/log.ts';
import { EgressError } from './failure.ts';
import { requestTunnel, type Opening, type TunnelTarget } from './tunnel.ts';

/** The machine of the proxy: an address that it must not open for a partner. */
const insideTarget: TunnelTarget = { hostname: '127.0.0.1', port: 1 };

/**
 * Response of a proxy to a request for an inside address. It refuses; it tries to connect, and thus
 * has no rule against the address; it opens the tunnel; or it does not respond.
 */
export type ProxyBehavior = 'refuses' | 'tries' | 'opens' | 'silent';

async function probe(proxy: URL, timeoutMs: number): Promise<ProxyBehavior> {
  const opening: Opening = { stage: 'proxy', isGivenUp: false, close: () => undefined };
  const limit = setTimeout(() => opening.close(), timeoutMs);
  try {
    const { status, socket } = await requestTunnel(proxy, insideTarget, opening);
    socket.destroy();
    if (status >= 200 && status < 300) return 'opens';
    return status >= 502 && status <= 504 ? 'tries' : 'refuses';
  } catch {
    return 'silent';
  } finally {
    clearTimeout(limit);
  }
}

export type ProxyCheck = ReturnType<typeof createProxyCheck>;

/** Checks a proxy once, and again as long as it opens the tunnel or does not respond. */
export function createProxyCheck(proxy: URL, timeoutMs: number) {
  let probed: Promise<ProxyBehavior> | undefined;

  async function behavior(): Promise<ProxyBehavior> {
    probed ??= probe(proxy, timeoutMs);
    const found = await probed;
    if (found === 'opens' || found === 'silent') probed = undefined;
    return found;
  }

  return {
    behavior,
    /** Throws EgressError unless the proxy may be used. */
    async require(): Promise<void> {
      const found = await behavior();
      if (found === 'silent') throw new EgressError('proxy_error', 'the egress proxy is silent');
      if (found !== 'opens') return;
      throw new EgressError('proxy_error', 'the egress proxy opens tunnels to inside addresses');
    },
  };
}

/**
 * Ends the start of a process whose proxy opens inside addresses. A proxy that does not respond yet
 * is checked again before the first request through it. Throws ConfigError.
 */
export async function refuseOpenProxy(
  egress: { proxyBehavior: () => Promise<ProxyBehavior | undefined> },
  log: Log,
): Promise<void> {
  switch (await egress.proxyBehavior()) {
    case 'opens':
      throw new ConfigError([
        'WEBHOOK_PROXY_URL names a proxy that opens a tunnel to 127.0.0.1: let it deny loopback, ' +
          'private, link-local and special addresses (docs/kubernetes/egress-proxy.conf is an ' +
          'example), then start again',
      ]);
    case 'tries':
      log.warn('the egress proxy tries to connect to 127.0.0.1: it has no rule against it');
      break;
    case 'silent':
      log.warn(
        'the egress proxy does not respond; requests wait until it rejects inside addresses',
      );
      break;
    case 'refuses':
    case undefined:
      break;
  }
}
