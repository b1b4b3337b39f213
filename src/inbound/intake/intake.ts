import type { Services } from '../../platform/http/services.ts';
import { ReceiverStatsBuffer } from './receiver-stats-buffer.ts';
import { createBatcher } from '../../platform/batching/batcher.ts';
import { createKnownReceivers } from './known-receivers.ts';
import type { KnownReceiver } from './known-receivers.ts';
import { storeCallbacks } from './store.ts';
import type { Outcome, VerifiedCallback } from './store.ts';

/** State of an API process that outlives a callback. */
export type Intake = ReturnType<typeof createIntake>;

// By the services of the process: two of them in one test do not share what they remember.
const intakes = new WeakMap<Services, Intake>();

export function intakeOf(services: Services): Intake {
  const known = intakes.get(services);
  if (known) return known;
  const made = createIntake(services);
  intakes.set(services, made);
  return made;
}

/** Transactions of one receiver that run at once; what comes meanwhile shares the next. */
const atOnce = 2;
const maxGroupSize = 100;

function createIntake({ database, keyring, log, config }: Services) {
  const receivers = createKnownReceivers(database, keyring, log);
  const storing = { keyring, retryScheduleMs: config.inbound.retryScheduleMs };
  const batch = createBatcher<{ receiver: KnownReceiver; callback: VerifiedCallback }, Outcome>(
    (_, calls) => {
      // The newest of what was known: settings matter to the window of the next keys only.
      const receiver = calls.at(-1)?.receiver;
      const callbacks = calls.map(({ callback }) => callback);
      return receiver
        ? database.transact((sql) => storeCallbacks(sql, storing, receiver, callbacks))
        : Promise.resolve([]);
    },
    { atOnce, maxItems: maxGroupSize },
  );
  return {
    find: (id: string) => receivers.find(id),
    /** Whether the id is known to be that of a receiver, without looking it up. */
    knows: (id: string) => receivers.knows(id),
    /** After a change of the receiver: the next call reads it again. */
    forget(id: string) {
      receivers.forget(id);
    },
    /** Stores a callback in one transaction with others of its receiver, under load. */
    store: (receiver: KnownReceiver, callback: VerifiedCallback) =>
      batch(receiver.id, { receiver, callback }),
    storing,
    stats: new ReceiverStatsBuffer(database, log, config.publicBaseUrl),
  };
}
