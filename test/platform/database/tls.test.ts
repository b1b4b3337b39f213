import { chmodSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../src/platform/database/client.ts';
import { DatabaseUnavailable, codeOf } from '../../../src/platform/database/failures.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { eventually } from '../../support/eventually.ts';
import { startTlsPostgres } from '../../support/tls-postgres.ts';
import type { TlsPostgres } from '../../support/tls-postgres.ts';

const root = scratchDirectory();
chmodSync(root, 0o755);
const certified = { user: 'onward_certified', password: 'a-password-of-the-test' };
let server: TlsPostgres;

beforeAll(async () => {
  server = await startTlsPostgres(root, certified);
  // The server reads its new settings a moment after the reload request.
  await eventually(
    () => outcome(server.connect(verified())),
    (answer) => answer.startsWith('TLS'),
  );
});
afterAll(() => server.stop());

const verified = () => ({ sslmode: 'verify-full', sslrootcert: server.authorityFile });

test('a name that is not in the certificate is refused', async () => {
  const database = server.connect(verified(), undefined, '127.0.0.1');
  expect(await outcome(database)).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
});

test('an authority that did not issue the certificate is refused', async () => {
  const address = { ...verified(), sslrootcert: server.otherAuthorityFile };
  expect(await outcome(server.connect(address))).toContain('SELF_SIGNED_CERT_IN_CHAIN');
});

const withCertificate = (role: string, issuer?: 'other') => {
  const { certFile, keyFile } = server.certificateFor(role, issuer);
  return { ...verified(), sslcert: certFile, sslkey: keyFile };
};

/** The version of TLS and the name in the client certificate, else why there is no connection. */
async function outcome(database: Database): Promise<string> {
  try {
    const [row] = await database.read(
      (sql) =>
        sql<{ version: string; client: string | null }[]>`
          select version, client_dn as client from pg_stat_ssl where pid = pg_backend_pid()`,
    );
    return [row?.version, row?.client].filter(Boolean).join(' ');
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    return `${codeOf(cause)} ${String(cause)}`;
  }
}

test('a server with a certificate for its name by the given authority is accepted', async () => {
  expect(await outcome(server.connect(verified()))).toBe('TLSv1.3');
});

test('a client certificate is sent if the server requires one', async () => {
  const database = server.connect(withCertificate(certified.user), certified);
  expect(await outcome(database)).toBe(`TLSv1.3 /CN=${certified.user}`);
});

test('the server refuses the role without its client certificate', async () => {
  expect(await outcome(server.connect(verified(), certified))).toContain(
    'requires a valid client certificate',
  );
});

test('the server refuses a client certificate for another role', async () => {
  const database = server.connect(withCertificate('somebody'), certified);
  expect(await outcome(database)).toContain('authentication failed');
});

test('the server refuses a client certificate of another authority', async () => {
  const database = server.connect(withCertificate(certified.user, 'other'), certified);
  expect(await outcome(database)).toMatch(/unknown ca|connection was closed|ECONNRESET/i);
});

test('the server refuses a connection without TLS', async () => {
  expect(await outcome(server.connect({ sslmode: 'disable' }))).toContain('no encryption');
});

test('`require` encrypts without verifying the server', async () => {
  expect(await outcome(server.connect({ sslmode: 'require' }))).toBe('TLSv1.3');
});

test('`verify-ca` accepts any name by the given authority', async () => {
  const address = { ...verified(), sslmode: 'verify-ca' };
  const database = server.connect(address, undefined, '127.0.0.1');
  expect(await outcome(database)).toBe('TLSv1.3');
});
