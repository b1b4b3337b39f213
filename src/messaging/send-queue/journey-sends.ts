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
import { createLaneOutcomes } from './lane-outcomes.ts';
import type { LaneOutcomes, SendCounts } from './lane-outcomes.ts';
import { LaneProviders } from './lane-providers.ts';
import type { Rendered } from './lane-providers.ts';
import { prepareSends } from './prepare.ts';
import type { PrepareTools, PreparedMessage } from './prepared-message.ts';
import type { SendOutcome } from './record-outcomes.ts';
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
  writeOutcome: WriteOutcome;
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
export class SendRounds {
  readonly #tools: SendDependencies;
  readonly #lane: number;
  readonly #providers: LaneProviders;
  readonly #outcomes: LaneOutcomes;
  readonly #preparing: PrepareTools;
  readonly #timeoutMs: number;
  /** Number of outcomes that are not yet stored. */
  #unstored = 0;
  /** Error of a failed write. */
  #failure: Error | undefined;
  #answered: () => void = () => undefined;
  #polledAtMs = -pollMs;
  #putOffAtMs = -putOffMs;

  constructor(tools: SendDependencies, lane: number, counts: SendCounts) {
    const { keyring, publicBaseUrl, versions, sending, log } = tools;
    this.#tools = tools;
    this.#lane = lane;
    this.#providers = new LaneProviders(tools.providers, sending.offeredTo);
    this.#outcomes = createLaneOutcomes(
      { keyring, sending, providers: this.#providers, log },
      counts,
    );
    this.#preparing = {
      ...{ keyring, publicBaseUrl, versions },
      ...{ providers: this.#providers, domains: sending.domains },
    };
    this.#timeoutMs = Math.min(sending.timeoutMs, sending.leaseMs / 2);
  }

  async round(): Promise<{ worked: boolean }> {
    const wasBusy = this.#isBusy();
    const claimed = await this.#claimOthers();
    if (this.#failure) throw this.#failure;
    // A message that was put back during the claim is seen by the next one only.
    if (claimed === 0 && !this.#isBusy()) return { worked: wasBusy };
    await this.#nextAnswer(maxWaitMs);
    await pause(gatherMs);
    this.#returnAllWaiting(false);
    return { worked: true };
  }

  /**
   * The same for urgent messages, in small claims of their own, so that they do
   * not wait for the preparation of a campaign.
   */
  async urgentRound(): Promise<{ worked: boolean }> {
    await pause(gatherUrgentMs);
    const now = this.#tools.clock.now();
    const rooms = this.#providers.rooms(now, { isUrgent: true, isLook: true });
    const claimed = await this.#claimAndSend(rooms, now, true);
    if (this.#failure) throw this.#failure;
    return { worked: claimed > 0 };
  }

  /** Returns unsent messages to the queue, and waits until the attempts in flight are stored. */
  async finish(): Promise<void> {
    this.#returnAllWaiting(true);
    while (this.#isBusy()) await this.#nextAnswer(maxWaitMs);
    if (this.#failure) throw this.#failure;
  }

  async #claimOthers(): Promise<number> {
    const { clock, inTurn } = this.#tools;
    const now = clock.now();
    const isLook = !this.#isBusy() || performance.now() - this.#polledAtMs >= pollMs;
    if (isLook) this.#polledAtMs = performance.now();
    const rooms = this.#providers.rooms(now, { isUrgent: false, isLook });
    const waiting = await this.#putOff(now);
    if (rooms.shared.length === 0) return waiting;
    return waiting + (await inTurn(() => this.#claimAndSend(rooms, clock.now(), false)));
  }

  /** Postpones due messages that wait for a provider with an open breaker until the next probe. */
  async #putOff(nowMs: number): Promise<number> {
    const { database, sending } = this.#tools;
    const asOf = new Date(nowMs).toISOString();
    let count = 0;
    for (const { channel, until } of this.#providers.haltedChannels(nowMs)) {
      const times = { asOf, until, offeredTo: sending.offeredTo };
      count += await database.read((sql) => putOffChannel(sql, this.#lane, channel, times));
    }
    const teams = this.#providers.haltedTeams(nowMs);
    if (teams.length > 0 && performance.now() - this.#putOffAtMs >= putOffMs) {
      this.#putOffAtMs = performance.now();
      count += await database.read((sql) => putOffTeams(sql, this.#lane, teams, asOf));
    }
    return count;
  }

  async #claimAndSend(rooms: Rooms, now: number, isUrgent: boolean): Promise<number> {
    const { database, sending, log } = this.#tools;
    const { leaseMs, offeredTo } = sending;
    const asOf = new Date(now).toISOString();
    const prepared = await database.read(async (sql) => {
      const claim = { isUrgent, asOf, leaseMs, offeredTo };
      const claimed = await claimSends(sql, this.#lane, rooms, claim);
      const looked = await isolateApart({ database, log }, sendPreparation(now), claimed, (some) =>
        prepareSends(sql, this.#preparing, some, now),
      );
      await putOffPaused(sql, this.#lane, looked.flat(), asOf);
      return looked.flat();
    });
    for (const one of prepared) this.#begin(one, now);
    for (const [provider] of this.#providers.windows()) this.#fill(provider);
    return prepared.length;
  }

  #begin({ send, outcome, archive }: PreparedMessage, nowMs: number): void {
    if (outcome.kind !== 'send') {
      this.#providers.skip(send, nowMs);
      this.#finishOne(this.#outcomes.ofUnsent({ send, archive }, outcome, nowMs));
      return;
    }
    // The time is read again: slow preparation must not make all messages stale.
    const { provider, isProbe, message } = outcome;
    this.#providers
      .windowOf(provider)
      .add({ send, message, isProbe, archive }, this.#tools.clock.now(), send.is_urgent);
  }

  /** Fills every free slot with the next message, unless the breaker has opened meanwhile. */
  #fill(provider: LiveProvider): void {
    const { clock } = this.#tools;
    const isOpen = provider.breaker.stateAt(clock.now()).kind === 'open';
    if (isOpen) this.#returnWaiting(provider, true);
    const window = this.#providers.windowOf(provider);
    const next = () => window.next(clock.now());
    for (let rendered = next(); rendered; rendered = next()) {
      this.#passToProvider(provider, rendered);
    }
  }

  #passToProvider(provider: LiveProvider, rendered: Rendered): void {
    provider.sender
      .send(rendered.message, this.#timeoutMs)
      .then((result) => this.#evaluate(provider, rendered, result))
      .catch((error: unknown) => this.#fail(error));
  }

  /** Determines the outcome of an attempt, and gives its slot to the next message. */
  #evaluate(provider: LiveProvider, rendered: Rendered, result: SendResult): void {
    const { send, isProbe } = rendered;
    const { channel, breaker } = provider;
    const now = this.#tools.clock.now();
    this.#providers.windowOf(provider).answer(now);
    sendAttempts.inc({ channel, outcome: result.kind === 'sent' ? 'sent' : result.code });
    const nextProbeMs = breaker.recordResult(faultOf(result), isProbe, now);
    if (nextProbeMs === undefined) {
      this.#finishOne(this.#outcomes.ofAttempt(rendered, provider, result, now));
    } else {
      // A probe comes behind all others, should it be what the provider stumbles over.
      const atMs = this.#providers.retryAt(send, nextProbeMs, now);
      this.#finishOne(deferred(send, atMs + (isProbe ? behindMs : 0)));
    }
    this.#fill(provider);
  }

  #returnAllWaiting(isAll: boolean): void {
    for (const [provider] of this.#providers.windows()) this.#returnWaiting(provider, isAll);
  }

  /**
   * Returns messages to the queue that have waited for a slot too long; they are checked again
   * later.
   */
  #returnWaiting(provider: LiveProvider, isAll: boolean): void {
    const now = this.#tools.clock.now();
    for (const { send, isProbe } of this.#providers.windowOf(provider).leave(now, isAll)) {
      if (isProbe) provider.breaker.abandonProbe();
      this.#finishOne(deferred(send, now));
    }
  }

  /** Stores the outcome of a message. */
  #finishOne(outcome: SendOutcome): void {
    this.#unstored += 1;
    this.#tools
      .writeOutcome(outcome)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#unstored -= 1;
        this.#answered();
      });
    this.#answered();
  }

  /** Ends the drain. */
  #fail(error: unknown): void {
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#answered();
  }

  #isBusy(): boolean {
    return this.#unstored > 0 || this.#providers.isBusy();
  }

  /** Resolves at the next response, or after the time. */
  #nextAnswer(atMostMs: number): Promise<void> {
    return Promise.race([
      new Promise<void>((resolve) => {
        this.#answered = resolve;
      }),
      pause(atMostMs),
    ]);
  }
}
