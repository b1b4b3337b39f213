import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import { removePostgres, startPostgres } from '../../src/local/postgres.ts';
import { newAuthority } from './authority.ts';

export interface TlsPostgres {
  /** URL of the superuser, without parameters for TLS. */
  url: URL;
  /** Paths of PEM files: the authority of the server and of its clients, and another one. */
  authorityFile: string;
  otherAuthorityFile: string;
  /** Files of a certificate for a role, issued by the authority of the server, or by the other. */
  certificateFor(role: string, issuer?: 'other'): { certFile: string; keyFile: string };
  /** A pool with the parameters, closed by `stop`. */
  connect(parameters: Record<string, string>, login?: Login, host?: string): Database;
  /** All that the server has logged. */
  log(): string;
  stop(): Promise<void>;
}

export interface Login {
  user: string;
  password: string;
}

/**
 * A Postgres of its own that takes connections by TLS only, and `certified` only with a client
 * certificate for that name. It logs every statement.
 */
export async function startTlsPostgres(directory: string, certified: Login): Promise<TlsPostgres> {
  const server = await startPostgres({
    directory: join(directory, 'postgres'),
    settings: { fsync: 'off', shared_buffers: '64MB', log_statement: 'all' },
  });
  const authority = newAuthority('Authority of the test');
  const other = newAuthority('Another authority');
  const pools: Database[] = [];
  const save = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const authorityFile = save('authority.pem', authority.certificate);
  const url = new URL(server.url);
  url.hostname = 'localhost';
  await demandTls();

  /** Puts certificate, key and rules into the data directory, which its own account reads. */
  async function demandTls() {
    const plain = connectDatabase({ url: server.url, maxConnections: 1, applicationName: 'tests' });
    const ask = (text: string) => plain.read((sql) => sql.unsafe<{ path: string }[]>(text));
    const [row] = await ask(
      'select setting as path from pg_settings where name = $$data_directory$$',
    );
    const home = row?.path ?? '';
    const { uid, gid } = statSync(home);
    const { certificate, key } = authority.issue('localhost');
    const rules = [
      `hostssl all ${certified.user} all scram-sha-256 clientcert=verify-full`,
      'hostssl all all all scram-sha-256',
    ];
    const files = {
      'server.crt': certificate,
      'server.key': key,
      'clients.crt': authority.certificate,
      'pg_hba.conf': `${rules.join('\n')}\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      const path = join(home, name);
      writeFileSync(path, text);
      chmodSync(path, 0o600);
      chownSync(path, uid, gid);
    }
    await ask(`create role ${certified.user} login password '${certified.password}'`);
    await ask(`alter system set ssl_ca_file = 'clients.crt'`);
    await ask('alter system set ssl = on');
    await ask('select pg_reload_conf()');
    await plain.close();
  }

  return {
    url,
    authorityFile,
    otherAuthorityFile: save('other-authority.pem', other.certificate),
    certificateFor(role, issuer) {
      const { certificate, key } = (issuer === 'other' ? other : authority).issue(role);
      const name = `${role}-${issuer ?? 'own'}`;
      return { certFile: save(`${name}.crt`, certificate), keyFile: save(`${name}.key`, key) };
    },
    connect(parameters, login, host = url.hostname) {
      const address = new URL(url);
      address.hostname = host;
      if (login) Object.assign(address, { username: login.user, password: login.password });
      for (const [name, value] of Object.entries(parameters)) {
        address.searchParams.set(name, value);
      }
      const pool = connectDatabase({
        url: address.href,
        maxConnections: 1,
        applicationName: 'tests',
        acquireTimeoutMs: 10_000,
      });
      pools.push(pool);
      return pool;
    },
    log: () => readFileSync(join(directory, 'postgres', 'postgres.log'), 'utf8'),
    async stop() {
      await Promise.all(pools.map((pool) => pool.close()));
      await server.stop();
      await removePostgres(join(directory, 'postgres'));
    },
  };
}
