import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { SecureContextOptions, Server } from 'node:tls';

/** PEM files of a server. */
export interface ServerTls {
  certFile: string;
  keyFile: string;
}

/** Suites of TLS 1.2: forward secrecy and authenticated encryption only. TLS 1.3 has no others. */
const suites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
];
const watchMs = 2_000;

export function secureContext({ certFile, keyFile }: ServerTls): SecureContextOptions {
  return {
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    minVersion: 'TLSv1.2',
    ciphers: suites.join(':'),
    honorCipherOrder: true,
  };
}

/** Uses a renewed certificate for new connections, without a restart. Returns what ends it. */
export function followRenewals(server: Server, tls: ServerTls): () => void {
  const renew = () => {
    try {
      server.setSecureContext(secureContext(tls));
    } catch {
      // Half written, or the key is not there yet: the next change of either file triggers a retry.
    }
  };
  const files = [tls.certFile, tls.keyFile];
  for (const file of files) watchFile(file, { interval: watchMs, persistent: false }, renew);
  return () => {
    for (const file of files) unwatchFile(file, renew);
  };
}
