import type { Keyring } from '../../platform/auth/keyring.ts';
import type { SendingConfig } from '../../platform/config.ts';
import type { Log } from '../../platform/observability/log.ts';
import { masked } from '../../campaigns/messages/rules.ts';
import { sealMessage, withoutContent } from '../archived-messages/seal.ts';
import type { SendResult, Sender } from '../providers/sender.ts';
import type { LaneProviders, Rendered } from './lane-providers.ts';
import type { PreparedMessage } from './prepared-message.ts';
import type { LiveProvider } from './provider-pool.ts';
import type { DeliveryOutcome, ClaimedSend } from './queries.ts';
import { deferred, withDeliveryOutcome } from './send-outcomes.ts';
import type { SendOutcome } from './record-outcomes.ts';

export interface SendCounts {
  sent: number;
  skipped: number;
  failed: number;
}

interface OutcomeTools {
  keyring: Keyring;
  sending: Pick<SendingConfig, 'retryScheduleMs'>;
  providers: Pick<LaneProviders, 'preferred' | 'passOver'>;
  log: Log;
}

/** A message that is ready for its provider has no outcome yet. */
type UnsentOutcome = Exclude<PreparedMessage['outcome'], { kind: 'send' }>;

export type LaneOutcomes = ReturnType<typeof createLaneOutcomes>;

/** Determines the outcome of queue entries, and counts the outcomes of the lane. */
export function createLaneOutcomes(
  { keyring, sending, providers, log }: OutcomeTools,
  counts: SendCounts,
) {
  function sentBy(
    send: ClaimedSend,
    { provider, reports }: Pick<Sender, 'provider' | 'reports'>,
    about: Partial<DeliveryOutcome>,
    nowMs: number,
  ): SendOutcome {
    const sent = withDeliveryOutcome(send, { ...about, status: 'sent', provider }, nowMs);
    return { ...sent, isReported: !reports };
  }

  return {
    /** The outcome of a message that goes to no provider now. */
    ofUnsent(
      { send, archive }: Pick<PreparedMessage, 'send' | 'archive'>,
      outcome: UnsentOutcome,
      nowMs: number,
    ): SendOutcome {
      switch (outcome.kind) {
        case 'wait':
          return deferred(send, outcome.untilMs);
        case 'drop':
          return send;
        case 'sent':
          return {
            ...sentBy(send, providers.preferred(send), {}, nowMs),
            archived: archive && withoutContent(send.team_id, archive),
          };
        case 'cancel':
          return withDeliveryOutcome(send, { status: 'canceled' }, nowMs);
        case 'skip':
          counts.skipped += 1;
          return withDeliveryOutcome(
            send,
            { status: 'skipped', skip_reason: outcome.reason },
            nowMs,
          );
        case 'fail':
          counts.failed += 1;
          return withDeliveryOutcome(send, { status: 'failed', code: outcome.code }, nowMs);
        default:
          return outcome satisfies never;
      }
    },

    /** The outcome of a message by the answer of its provider. */
    ofAttempt(
      { send, message, archive }: Rendered,
      live: LiveProvider,
      result: SendResult,
      nowMs: number,
    ): SendOutcome {
      const { sender } = live;
      const { provider } = sender;
      if (result.kind === 'sent') {
        counts.sent += 1;
        const { providerMessageId: provider_message_id, recipient } = result;
        const about = { provider_message_id, to_masked: masked(recipient) };
        const archived = archive && sealMessage(keyring, message, archive);
        return { ...sentBy(send, sender, about, nowMs), archived };
      }
      const pauseMs = sending.retryScheduleMs[send.attempts];
      log.info(
        { team_id: send.team_id, delivery_id: send.id, provider, code: result.code },
        'a message was not accepted',
      );
      if (result.kind === 'later' && pauseMs !== undefined) {
        const laterMs = nowMs + Math.max(pauseMs, result.outage?.retryAfterMs ?? 0);
        if (!result.outage || result.isUnknown)
          return deferred(send, laterMs, { is_attempt: true });
        const { content } = message;
        const named = content.channel === 'sms' ? (content.from ?? null) : null;
        const { isPassed: is_passed, hasNext } = providers.passOver(send, named, live, nowMs);
        return deferred(send, hasNext ? nowMs : laterMs, { is_attempt: true, is_passed });
      }
      counts.failed += 1;
      return withDeliveryOutcome(send, { status: 'failed', provider, code: result.code }, nowMs);
    },
  };
}
