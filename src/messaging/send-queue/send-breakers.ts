import { sendingHalted } from '../../platform/http/metrics.ts';
import type { SendingConfig } from '../../platform/config.ts';
import type { Log } from '../../platform/observability/log.ts';
import { createBreaker } from '../../platform/circuit-breaker/in-memory.ts';
import type {
  Breaker,
  BreakerTransition,
  Fault,
} from '../../platform/circuit-breaker/in-memory.ts';
import type { OutgoingMessage, SendResult } from '../providers/sender.ts';
import type { Senders } from '../providers/senders.ts';

type Channel = OutgoingMessage['content']['channel'];

export type Breakers = Readonly<Record<Channel, Breaker>>;

/** The breakers of a process, one for each channel: all lanes share what one of them finds out. */
export function createBreakers({
  senders,
  sending,
  log,
}: {
  senders: Senders;
  sending: SendingConfig;
  log: Log;
}): Breakers {
  const breakerOf = (channel: Channel) => {
    const { provider } = senders.of[channel];
    const { probeScheduleMs, leaseMs: probeTimeoutMs } = sending;
    sendingHalted.set({ channel }, 0);
    return createBreaker({ probeScheduleMs, probeTimeoutMs }, (transition) => {
      report(log, { channel, provider }, transition);
    });
  };
  return { email: breakerOf('email'), sms: breakerOf('sms'), push: breakerOf('push') };
}

function report(
  log: Log,
  about: { channel: Channel; provider: string },
  transition: BreakerTransition,
): void {
  const { channel } = about;
  switch (transition.kind) {
    case 'opened':
    case 'probe_failed': {
      const { code, probeAtMs } = transition;
      sendingHalted.set({ channel }, 1);
      const seen = { ...about, code, next_probe_at: new Date(probeAtMs).toISOString() };
      log.warn(seen, 'a provider takes no messages; they wait for the next probe');
      break;
    }
    case 'closed':
      sendingHalted.set({ channel }, 0);
      log.warn({ ...about, away_ms: transition.outageMs }, 'a provider takes messages again');
      break;
    default:
      transition satisfies never;
  }
}

/** The fault of the provider in a result; undefined if the message alone is the cause. */
export function faultOf(result: SendResult): Fault | undefined {
  if (result.kind !== 'later' || !result.outage) return undefined;
  return { code: result.code, ...result.outage };
}

/** Channels of which nothing is sent at this moment. */
export function haltedIn(breakers: Breakers, now: number): string[] {
  return Object.entries(breakers).flatMap(([channel, { stateAt }]) =>
    stateAt(now).kind === 'closed' ? [] : [channel],
  );
}
