import { setTimeout as pause } from 'node:timers/promises';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { SendingConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Clock } from '../../platform/database/clock.ts';
import { sendAttempts } from '../../platform/http/metrics.ts';
import type { Log } from '../../platform/observability/log.ts';
import { prepareSends } from './prepare.ts';
import type { PreparedMessage } from './prepare.ts';
import { takeSends } from './queries.ts';
import type { Channel, Settlement, TakenSend } from './queries.ts';
import { masked } from '../../campaigns/messages/rules.ts';
import type { Ending } from './settle.ts';
import { putOffChannel, putOffTemplate } from './waiting/queries.ts';
import type { KeptVersions } from '../../campaigns/templates/history/kept-versions.ts';
import type { OutgoingMessage, SendResult, Sender } from '../providers/sender.ts';
import type { Senders } from '../providers/senders.ts';
import { deferred, withSettlement } from './send-outcomes.ts';
import { faultOf } from './send-breakers.ts';
import type { Breakers } from './send-breakers.ts';
import { createConcurrencyWindow } from './concurrency-window.ts';
import type { WriteOutcome } from './outcome-writer.ts';

export interface SendDependencies {
  database: Database;
  clock: Clock;
  keyring: Keyring;
  senders: Senders;
  sending: SendingConfig;
  publicBaseUrl: string;
  versions: KeptVersions;
  breakers: Breakers;
  settle: WriteOutcome;
  log: Log;
}

/** A message that is ready to be sent. */
interface Rendered {
  send: TakenSend;
  message: OutgoingMessage;
  isProbe: boolean;
}

interface SendCounts {
  sent: number;
  skipped: number;
  failed: number;
}

/** Lanes that share the places of a process. */
const lanes = 4;
/** Places that become free are gathered for a moment, and filled together. */
const gatherMs = 10;
const maxWaitMs = 250;
/** Poll interval of a channel without messages, while others are busy. */
const lookMs = 50;
const channels = ['email', 'sms', 'push'] as const;
/** Delay of a message that was a probe, behind all others. */
const behindMs = 1_000;

/**
 * Sends the waiting messages of a lane: claims, checks, renders, sends, and stores the outcomes.
 */
export function createSendRounds(dependencies: SendDependencies, lane: number, counts: SendCounts) {
  const { database, clock, senders, sending, breakers, settle, log } = dependencies;
  const { keyring, publicBaseUrl, versions } = dependencies;
  const tools = {
    keyring,
    publicBaseUrl,
    versions,
    defaultFrom: sending.defaultFrom,
    domains: sending.domains,
    callbackKindOf: (channel: TakenSend['channel']) => senders.of[channel].callbackKind,
  };
  const placesOf = (channel: Channel) =>
    createConcurrencyWindow<Rendered>(Math.ceil(senders.of[channel].places / lanes));
  const places = { email: placesOf('email'), sms: placesOf('sms'), push: placesOf('push') };
  /** Number of outcomes that are not yet stored. */
  let unsettled = 0;
  /** Error of a failed write. */
  let failure: Error | undefined;
  let answered: () => void = () => undefined;

  const timeoutMs = Math.min(sending.timeoutMs, sending.leaseMs / 2);
  let lookedAtMs = -lookMs;
  const isSpared = (channel: Channel) =>
    isBusy() && !places[channel].isBusy() && performance.now() - lookedAtMs < lookMs;
  function roomFor(channel: Channel, nowMs: number): number {
    const { kind } = breakers[channel].stateAt(nowMs);
    if (kind === 'due') return 1;
    return kind === 'closed' && !isSpared(channel) ? places[channel].capacity(nowMs) : 0;
  }

  async function take(): Promise<number> {
    const now = clock.now();
    const asOf = new Date(now).toISOString();
    const room = {
      email: roomFor('email', now),
      sms: roomFor('sms', now),
      push: roomFor('push', now),
    };
    const isLook = channels.some((channel) => room[channel] > 0 && !places[channel].isBusy());
    if (isLook) lookedAtMs = performance.now();
    const probed = channels.filter((channel) => breakers[channel].stateAt(now).kind === 'due');
    for (const channel of probed) breakers[channel].beginProbe(now);
    const waiting = await putOff(now);
    if (Object.values(room).every((count) => count <= 0)) return waiting;
    const prepared = await database.read(async (sql) => {
      const taken = await takeSends(sql, lane, room, { asOf, leaseMs: sending.leaseMs });
      const looked = taken.length > 0 ? await prepareSends(sql, tools, taken, now) : [];
      await putOffPaused(sql, lane, looked, asOf);
      return looked;
    });
    const isTried = (channel: Channel) =>
      prepared.some(({ send, outcome }) => send.channel === channel && outcome.kind === 'send');
    for (const channel of probed) if (!isTried(channel)) breakers[channel].abandonProbe();
    for (const one of prepared) begin(one, now, probed.includes(one.send.channel));
    for (const channel of channels) fill(channel);
    return prepared.length + waiting;
  }

  /** Postpones due messages of channels with an open breaker until the next probe. */
  async function putOff(nowMs: number): Promise<number> {
    const asOf = new Date(nowMs).toISOString();
    let count = 0;
    for (const channel of channels) {
      const state = breakers[channel].stateAt(nowMs);
      if (state.kind !== 'open') continue;
      const until = new Date(state.probeAtMs).toISOString();
      count += await database.read((sql) => putOffChannel(sql, lane, channel, { asOf, until }));
    }
    return count;
  }

  function begin({ send, outcome }: PreparedMessage, nowMs: number, isProbe: boolean) {
    switch (outcome.kind) {
      case 'send':
        // The time is read again: slow preparation must not make all messages stale.
        places[send.channel].add(
          { send, message: outcome.message, isProbe },
          clock.now(),
          send.is_urgent,
        );
        break;
      case 'wait':
        finish(deferred(send, outcome.untilMs, false));
        break;
      case 'drop':
        finish(send);
        break;
      case 'sent':
        finish(sentBy(send, {}, nowMs));
        break;
      case 'cancel':
        finish(withSettlement(send, { status: 'canceled' }, nowMs));
        break;
      case 'skip':
        counts.skipped += 1;
        finish(withSettlement(send, { status: 'skipped', skip_reason: outcome.reason }, nowMs));
        break;
      case 'fail':
        counts.failed += 1;
        finish(withSettlement(send, { status: 'failed', code: outcome.code }, nowMs));
        break;
      default:
        outcome satisfies never;
    }
  }

  /** Fills every free slot with the next message, unless the breaker has opened meanwhile. */
  function fill(channel: Channel) {
    if (isOpen(channel)) leave(channel, true);
    const next = () => places[channel].next(clock.now());
    for (let rendered = next(); rendered; rendered = next()) handOver(rendered);
  }

  const isOpen = (channel: Channel) => breakers[channel].stateAt(clock.now()).kind === 'open';

  /**
   * Returns messages to the queue that have waited for a slot too long; they are checked again
   * later.
   */
  function leave(channel: Channel, isAll: boolean) {
    const now = clock.now();
    for (const { send, isProbe } of places[channel].leave(now, isAll)) {
      if (isProbe) breakers[channel].abandonProbe();
      finish(deferred(send, now, false));
    }
  }

  function handOver({ send, message, isProbe }: Rendered) {
    const { channel } = send;
    const sender = senders.of[channel];
    void sender.send(message, timeoutMs).then((result) => {
      const now = clock.now();
      places[channel].answer(now);
      sendAttempts.inc({ channel, outcome: result.kind === 'sent' ? 'sent' : result.code });
      const nextProbeMs = breakers[channel].recordResult(faultOf(result), isProbe, now);
      finish(
        nextProbeMs === undefined
          ? endingOf(send, sender, result)
          : // Behind all others, should it be the message that the provider stumbles over.
            deferred(send, nextProbeMs + (isProbe ? behindMs : 0), false),
      );
      fill(channel);
    });
  }

  function sentBy(send: TakenSend, about: Partial<Settlement>, nowMs: number): Ending {
    const { provider, reports } = senders.of[send.channel];
    const settled = withSettlement(send, { ...about, status: 'sent', provider }, nowMs);
    return { ...settled, isReported: !reports };
  }

  function endingOf(send: TakenSend, sender: Sender, result: SendResult): Ending {
    const now = clock.now();
    const { provider } = sender;
    if (result.kind === 'sent') {
      counts.sent += 1;
      const { providerMessageId: provider_message_id, recipient } = result;
      return sentBy(send, { provider_message_id, to_masked: masked(recipient) }, now);
    }
    const pauseMs = sending.retryScheduleMs[send.attempts];
    log.info(
      { team_id: send.team_id, delivery_id: send.id, provider, code: result.code },
      'a message was not accepted',
    );
    if (result.kind === 'later' && pauseMs !== undefined) {
      return deferred(send, now + Math.max(pauseMs, result.outage?.retryAfterMs ?? 0), true);
    }
    counts.failed += 1;
    return withSettlement(send, { status: 'failed', provider, code: result.code }, now);
  }

  function finish(ending: Ending) {
    unsettled += 1;
    settle(ending)
      .catch((error: unknown) => {
        failure = error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => {
        unsettled -= 1;
        answered();
      });
    answered();
  }

  const isBusy = () => unsettled > 0 || channels.some((channel) => places[channel].isBusy());

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
      const taken = await take();
      if (failure) throw failure;
      if (taken === 0 && !isBusy()) return { worked: false };
      await nextAnswer(maxWaitMs);
      await pause(gatherMs);
      for (const channel of channels) leave(channel, false);
      return { worked: true };
    },
    /** Returns unsent messages to the queue, and waits until the attempts in flight are stored. */
    async finish(): Promise<void> {
      for (const channel of channels) leave(channel, true);
      while (isBusy()) await nextAnswer(maxWaitMs);
      if (failure) throw failure;
    },
  };
}

/** Where one message waits for its template, all of it that is due does. */
async function putOffPaused(
  sql: Sql,
  lane: number,
  looked: readonly PreparedMessage[],
  asOf: string,
) {
  const paused = new Map<string, { team_id: string; until: string }>();
  for (const { send, templateId, outcome } of looked) {
    if (outcome.kind !== 'wait' || !outcome.withTemplate || templateId === undefined) continue;
    const until = new Date(outcome.untilMs).toISOString();
    paused.set(templateId, { team_id: send.team_id, until });
  }
  for (const [template_id, { team_id, until }] of paused) {
    await putOffTemplate(sql, lane, { team_id, template_id }, { asOf, until });
  }
}
