import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

/** Parameters of the URL with the names and meanings of libpq. */
const names = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/**
 * TLS of a connection, by the parameters of its URL; false for none. The files are read for every
 * connection, so that a renewed certificate is used without a restart.
 */
export async function tlsOptions(url: URL): Promise<ConnectionOptions | false> {
  const [mode, rootFile, certFile, keyFile] = names.map((name) => url.searchParams.get(name));
  if (mode === null || mode === undefined || mode === 'disable') return false;
  const read = (path: string | null | undefined) => (path ? readFile(path, 'utf8') : undefined);
  const [ca, cert, key] = await Promise.all([read(rootFile), read(certFile), read(keyFile)]);
  const host = hostOf(url);
  return {
    minVersion: 'TLSv1.2',
    host,
    // Names only: RFC 6066 forbids addresses.
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    // As with libpq, an authority that is given with `require` is used.
    rejectUnauthorized: mode.startsWith('verify') || ca !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

/** The URL for the driver, which would send the names of the files to the server. */
export function withoutTls(url: URL): string {
  const copy = new URL(url);
  for (const name of names) copy.searchParams.delete(name);
  return copy.href;
}

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
}
