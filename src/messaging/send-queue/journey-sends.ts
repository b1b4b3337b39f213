import { setTimeout as pause } from 'node:timers/promises';
import { isolateApart } from '../../platform/batching/isolate.ts';
import type { InTurn } from '../../platform/batching/turns.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { SendingConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Clock } from '../../platform/database/clock.ts';
import { sendAttempts } from '../../platform/http/metrics.ts';
import type { Log } from '../../platform/observability/log.ts';
import { claimSends } from './claiming/queries.ts';
import type { Rooms } from './claiming/queries.ts';
import type { SendResult } from '../providers/sender.ts';
import { createEndings } from './endings.ts';
import type { SendCounts } from './endings.ts';
import { createLaneProviders } from './lane-providers.ts';
import type { Rendered } from './lane-providers.ts';
import { prepareSends } from './prepare.ts';
import type { PreparedMessage } from './prepared-message.ts';
import type { Ending } from './settle.ts';
import { putOffPaused } from './waiting/paused.ts';
import { putOffChannel, putOffTeams } from './waiting/queries.ts';
import type { VersionCache } from '../../campaigns/templates/history/kept-versions.ts';
import type { LiveProvider, ProviderPool } from './provider-pool.ts';
import { sendPreparation } from './send-loop.ts';
import { deferred, faultOf } from './send-outcomes.ts';
import type { WriteOutcome } from './outcome-writer.ts';

export interface SendDependencies {
  database: Database;
  clock: Clock;
  keyring: Keyring;
  providers: ProviderPool;
  sending: SendingConfig;
  publicBaseUrl: string;
  versions: VersionCache;
  settle: WriteOutcome;
  /** Turns of claims that are not urgent, which the lanes of a process share. */
  inTurn: InTurn;
  log: Log;
}

/** Slots that become free within this time are filled together. */
const gatherMs = 10;
const maxWaitMs = 250;
/** Urgent messages that come within this time are claimed together. */
const gatherUrgentMs = 5;
/** Poll interval of a channel without messages, while others are busy. */
const pollMs = 50;
/** Interval in which due messages of halted teams are postponed. */
const putOffMs = 1_000;
/** Delay of a message that was a probe, behind all others. */
const behindMs = 1_000;

/**
 * Sends the queued messages of a lane, with and without a journey: claims, checks, renders, sends,
 * and stores the outcomes. Its two rounds run at the same time.
 */
export function createSendRounds(dependencies: SendDependencies, lane: number, counts: SendCounts) {
  const { database, clock, sending, settle, inTurn, log } = dependencies;
  const { keyring, publicBaseUrl, versions } = dependencies;
  const { offeredTo } = sending;
  const providers = createLaneProviders(dependencies.providers, offeredTo);
  const endings = createEndings({ keyring, sending, providers, log }, counts);
  const tools = { keyring, publicBaseUrl, versions, providers, domains: sending.domains };
  /** Number of outcomes that are not yet stored. */
  let unstored = 0;
  /** Error of a failed write. */
  let failure: Error | undefined;
  let answered: () => void = () => undefined;

  const timeoutMs = Math.min(sending.timeoutMs, sending.leaseMs / 2);
  let polledAtMs = -pollMs;
  let putOffAtMs = -putOffMs;

  async function claimOthers(): Promise<number> {
    const now = clock.now();
    const isLook = !isBusy() || performance.now() - polledAtMs >= pollMs;
    if (isLook) polledAtMs = performance.now();
    const rooms = providers.rooms(now, { isUrgent: false, isLook });
    const waiting = await putOff(now);
    if (rooms.shared.length === 0) return waiting;
    return waiting + (await inTurn(() => claimAndSend(rooms, clock.now(), false)));
  }

  async function claimAndSend(rooms: Rooms, now: number, isUrgent: boolean): Promise<number> {
    const asOf = new Date(now).toISOString();
    const prepared = await database.read(async (sql) => {
      const claim = { isUrgent, asOf, leaseMs: sending.leaseMs, offeredTo };
      const claimed = await claimSends(sql, lane, rooms, claim);
      const looked = await isolateApart({ database, log }, sendPreparation(now), claimed, (some) =>
        prepareSends(sql, tools, some, now),
      );
      await putOffPaused(sql, lane, looked.flat(), asOf);
      return looked.flat();
    });
    for (const one of prepared) begin(one, now);
    for (const [provider] of providers.windows()) fill(provider);
    return prepared.length;
  }

  /** Postpones due messages that wait for a provider with an open breaker until the next probe. */
  async function putOff(nowMs: number): Promise<number> {
    const asOf = new Date(nowMs).toISOString();
    let count = 0;
    for (const { channel, until } of providers.haltedChannels(nowMs)) {
      const times = { asOf, until, offeredTo };
      count += await database.read((sql) => putOffChannel(sql, lane, channel, times));
    }
    const teams = providers.haltedTeams(nowMs);
    if (teams.length > 0 && performance.now() - putOffAtMs >= putOffMs) {
      putOffAtMs = performance.now();
      count += await database.read((sql) => putOffTeams(sql, lane, teams, asOf));
    }
    return count;
  }

  function begin({ send, outcome, archive }: PreparedMessage, nowMs: number) {
    if (outcome.kind !== 'send') {
      providers.skip(send, nowMs);
      finish(endings.ofUnsent({ send, archive }, outcome, nowMs));
      return;
    }
    // The time is read again: slow preparation must not make all messages stale.
    const { provider, isProbe, message } = outcome;
    providers
      .windowOf(provider)
      .add({ send, message, isProbe, archive }, clock.now(), send.is_urgent);
  }

  /** Fills every free slot with the next message, unless the breaker has opened meanwhile. */
  function fill(provider: LiveProvider) {
    const isOpen = provider.breaker.stateAt(clock.now()).kind === 'open';
    if (isOpen) returnWaiting(provider, true);
    const window = providers.windowOf(provider);
    const next = () => window.next(clock.now());
    for (let rendered = next(); rendered; rendered = next()) passToProvider(provider, rendered);
  }

  /**
   * Returns messages to the queue that have waited for a slot too long; they are checked again
   * later.
   */
  function returnWaiting(provider: LiveProvider, isAll: boolean) {
    const now = clock.now();
    for (const { send, isProbe } of providers.windowOf(provider).leave(now, isAll)) {
      if (isProbe) provider.breaker.abandonProbe();
      finish(deferred(send, now));
    }
  }

  function returnAllWaiting(isAll: boolean) {
    for (const [provider] of providers.windows()) returnWaiting(provider, isAll);
  }

  function passToProvider(provider: LiveProvider, rendered: Rendered) {
    const { send, message, isProbe } = rendered;
    const { channel, sender, breaker } = provider;
    const onResult = (result: SendResult) => {
      const now = clock.now();
      providers.windowOf(provider).answer(now);
      sendAttempts.inc({ channel, outcome: result.kind === 'sent' ? 'sent' : result.code });
      const nextProbeMs = breaker.recordResult(faultOf(result), isProbe, now);
      if (nextProbeMs === undefined) finish(endings.ofAttempt(rendered, provider, result, now));
      else {
        // A probe comes behind all others, should it be what the provider stumbles over.
        const atMs = providers.retryAt(send, nextProbeMs, now);
        finish(deferred(send, atMs + (isProbe ? behindMs : 0)));
      }
      fill(provider);
    };
    sender.send(message, timeoutMs).then(onResult).catch(fail);
  }

  /** Ends the drain. */
  function fail(error: unknown) {
    failure = error instanceof Error ? error : new Error(String(error));
    answered();
  }

  function finish(ending: Ending) {
    unstored += 1;
    settle(ending)
      .catch(fail)
      .finally(() => {
        unstored -= 1;
        answered();
      });
    answered();
  }

  const isBusy = () => unstored > 0 || providers.isBusy();

  /** Resolves at the next response, or after the time. */
  function nextAnswer(atMostMs: number): Promise<void> {
    return Promise.race([
      new Promise<void>((resolve) => {
        answered = resolve;
      }),
      pause(atMostMs),
    ]);
  }

  return {
    async round(): Promise<{ worked: boolean }> {
      const wasBusy = isBusy();
      const claimed = await claimOthers();
      if (failure) throw failure;
      // A message that was put back during the claim is seen by the next one only.
      if (claimed === 0 && !isBusy()) return { worked: wasBusy };
      await nextAnswer(maxWaitMs);
      await pause(gatherMs);
      returnAllWaiting(false);
      return { worked: true };
    },
    /**
     * The same for urgent messages, in small claims of their own, so that they do
     * not wait for the preparation of a campaign.
     */
    async urgentRound(): Promise<{ worked: boolean }> {
      await pause(gatherUrgentMs);
      const now = clock.now();
      const rooms = providers.rooms(now, { isUrgent: true, isLook: true });
      const claimed = await claimAndSend(rooms, now, true);
      if (failure) throw failure;
      return { worked: claimed > 0 };
    },
    /** Returns unsent messages to the queue, and waits until the attempts in flight are stored. */
    async finish(): Promise<void> {
      returnAllWaiting(true);
      while (isBusy()) await nextAnswer(maxWaitMs);
      if (failure) throw failure;
    },
  };
}
