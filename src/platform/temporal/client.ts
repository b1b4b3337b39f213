import { Client, Connection, ScheduleClient } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { toClientOptions } from '@temporalio/envconfig';
import type { Config } from '../config.ts';
import { addTraceHeader } from './trace-header.ts';

export type TemporalSettings = Pick<Config, 'temporalNamespace' | 'temporalProfile'> & {
  temporalAddress: string;
};

/** Time limit of a call to Temporal, which is never made inside a transaction. */
const callDeadlineMs = 3_000;

/** A client that connects on first use and reconnects by itself. */
export function connectTemporal(settings: TemporalSettings, codec?: PayloadCodec) {
  const connection = Connection.lazy(connectionOptions(settings));
  const client = new Client({
    connection,
    namespace: settings.temporalNamespace,
    ...(codec && { dataConverter: { payloadCodecs: [codec] } }),
    interceptors: { workflow: [addTraceHeader] },
  });
  return {
    client,
    /** Without encryption: the server stores their arguments for good, beyond the end of a key. */
    schedules: new ScheduleClient({ connection, namespace: settings.temporalNamespace }),
    connection,
    /** Runs calls with a deadline, since an absent server would block them for 20 s. */
    within: <T>(work: () => Promise<T>) =>
      connection.withDeadline(Date.now() + callDeadlineMs, work),
    close: () => connection.close(),
  };
}

export type TemporalClient = ReturnType<typeof connectTemporal>;

/** For the connections of the client and of the workers. Reads the certificates. */
export function connectionOptions({ temporalAddress, temporalProfile }: TemporalSettings) {
  return toClientOptions({ ...temporalProfile, address: temporalAddress }).connectionOptions;
}
