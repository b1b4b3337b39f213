import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config.ts';

export type TemporalSettings = Pick<Config, 'temporalNamespace' | 'temporalApiKey'> & {
  temporalAddress: string;
};

/** How long a call to Temporal may take; it is never made inside a transaction. */
const callDeadlineMs = 3_000;

/** A client whose connection is made on first use and mends itself. */
export function connectTemporal(settings: TemporalSettings) {
  const connection = Connection.lazy({
    address: settings.temporalAddress,
    ...(settings.temporalApiKey !== undefined && { apiKey: settings.temporalApiKey, tls: true }),
  });
  const client = new Client({ connection, namespace: settings.temporalNamespace });
  return {
    client,
    connection,
    /** Runs calls with a deadline, since an absent server would hold them for 20 s. */
    within: <T>(work: () => Promise<T>) =>
      connection.withDeadline(Date.now() + callDeadlineMs, work),
    close: () => connection.close(),
  };
}

export type TemporalClient = ReturnType<typeof connectTemporal>;
