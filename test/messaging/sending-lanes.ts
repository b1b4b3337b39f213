import { createTurns } from '../../src/platform/batching/turns.ts';
import { SendRounds } from '../../src/messaging/send-queue/journey-sends.ts';
import { createProviderPool } from '../../src/messaging/send-queue/provider-pool.ts';
import { createOutcomeWriter } from '../../src/messaging/send-queue/outcome-writer.ts';
import type { SendingConfig } from '../../src/platform/config.ts';
import { createClock } from '../../src/platform/database/clock.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { decideDue } from '../../src/journeys/lanes/decide.ts';
import { createSenders } from '../../src/messaging/providers/senders.ts';
import { aReader, decideTools } from '../journeys/a-send.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

/** The parts that work in the lanes of a worker; here a test runs each of them. */
export type SendingLanes = Awaited<ReturnType<typeof startSendingLanes>>;

const all = [0, 1, 2, 3];

/** With other settings than those of the API, where `settings` has them. */
export async function startSendingLanes(api: TestApi, settings: Partial<SendingConfig> = {}) {
  const { keyring, config } = api;
  const { database } = api.db;
  const { publicBaseUrl, webhooks: rules } = config;
  const sending = { ...config.sending, ...settings };
  const comparing = createClock(database);
  await comparing.start();
  // A little ahead of all others: what is due by theirs is so by this one.
  const clock = { now: () => comparing.now() + 1_000 };
  const egress = createEgress({ rules });
  const senders = createSenders(sending, { database, egress });
  const log = createLog('silent', 'worker');
  const { versions, atOnce } = decideTools(api);
  const providers = createProviderPool({ database, egress, keyring, senders, sending, log });
  const writeOutcome = createOutcomeWriter({ database, log, sending });
  const tools = { database, clock, keyring, providers, sending, publicBaseUrl, versions, log };

  /** Makes the send rounds of a lane. */
  const inTurn = createTurns(500);
  const roundsOf = (lane: number) =>
    new SendRounds({ ...tools, writeOutcome, inTurn }, lane, { sent: 0, skipped: 0, failed: 0 });

  return {
    roundsOf,
    breakerState: () => providers.installation.email.breaker.stateAt(clock.now()).kind,
    /** Decides over all that is due. */
    async decide() {
      for (const lane of all) {
        await database.transact((sql) =>
          decideDue(sql, { versions, atOnce, log }, lane, clock.now()),
        );
      }
    },
    /** Sends all that is due. */
    send: async () => {
      await Promise.all(all.map((lane) => sendDue(roundsOf(lane))));
    },
    async stop() {
      comparing.stop();
      await providers.close();
      await egress.close();
    },
  };
}

/** Works in a lane until nothing of it is due. */
export async function sendDue(rounds: ReturnType<SendingLanes['roundsOf']>): Promise<void> {
  for (;;) {
    const done = [await rounds.urgentRound(), await rounds.round()];
    if (done.every(({ worked }) => !worked)) break;
  }
  await rounds.finish();
}

/** Contacts whose journeys run in one lane. */
export async function readersIn(team: TestTeam, lane: number, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const id = await aReader(team);
    if (Math.floor(parseInt(id.slice(-2), 16) / 64) === lane) found.push(id);
  }
  return found;
}
