import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config.ts';

export type TemporalSettings = Pick<
  Config,
  'temporalNamespace' | 'temporalApiKey' | 'temporalTls'
> & {
  temporalAddress: string;
};

/** Time limit of a call to Temporal, which is never made inside a transaction. */
const callDeadlineMs = 3_000;

/** A client that connects on first use and reconnects by itself. */
export function connectTemporal(settings: TemporalSettings) {
  const connection = Connection.lazy(connectionOptions(settings));
  const client = new Client({ connection, namespace: settings.temporalNamespace });
  return {
    client,
    connection,
    /** Runs calls with a deadline, since an absent server would block them for 20 s. */
    within: <T>(work: () => Promise<T>) =>
      connection.withDeadline(Date.now() + callDeadlineMs, work),
    close: () => connection.close(),
  };
}

export type TemporalClient = ReturnType<typeof connectTemporal>;

/** For the connections of the client and of the workers. Reads the certificates. */
export function connectionOptions(settings: TemporalSettings) {
  const { temporalAddress: address, temporalApiKey: apiKey, temporalTls } = settings;
  if (temporalTls === undefined) return { address };
  const { authorityFile, client, serverName } = temporalTls;
  const tls = {
    ...(serverName !== undefined && { serverNameOverride: serverName }),
    ...(authorityFile !== undefined && { serverRootCACertificate: readFileSync(authorityFile) }),
    ...(client && {
      clientCertPair: {
        crt: readFileSync(client.certificateFile),
        key: readFileSync(client.keyFile),
      },
    }),
  };
  return { address, tls, ...(apiKey !== undefined && { apiKey }) };
}
