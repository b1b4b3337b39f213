import type { SendResult } from './sender.ts';

/** State of the circuit breaker of a provider. */
export type BreakerState =
  /** Messages flow. */
  | { kind: 'closed' }
  /** The provider accepts no messages; waiting ones are for the next probe. */
  | { kind: 'open'; probeAtMs: number }
  /** One message may be sent as a probe. */
  | { kind: 'due' }
  /** The probe is in flight. */
  | { kind: 'probing' };

/** Change of the state of a breaker. */
export type BreakerTransition =
  | { kind: 'opened'; code: string; probeAtMs: number }
  | { kind: 'still_away'; code: string; probeAtMs: number }
  | { kind: 'closed'; awayMs: number };

/** Messages in a row that may have been the provider's fault, until they are. */
const faultsInARow = 5;

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Stops attempts at a provider that accepts no messages. It opens after a fault that is certainly
 * the provider's, or after several in a row that may be. Then one message at a time is the probe.
 * Times are epoch milliseconds.
 */
export function createBreaker(
  {
    probeScheduleMs,
    probeTimeoutMs,
  }: {
    /** Pauses before each probe; the last one is that of all further. */
    probeScheduleMs: readonly number[];
    /** A probe that is in flight for longer counts as lost. */
    probeTimeoutMs: number;
  },
  onTransition: (turn: BreakerTransition) => void,
) {
  let faults = 0;
  let away: { sinceMs: number; probes: number; probeAtMs: number; lostAtMs: number } | undefined;

  function putOff(probes: number, outage: { retryAfterMs?: number }, nowMs: number): number {
    const pauseMs = probeScheduleMs[probes] ?? probeScheduleMs.at(-1) ?? 0;
    return nowMs + Math.max(pauseMs, outage.retryAfterMs ?? 0);
  }

  function standing(nowMs: number): BreakerState {
    if (!away) return { kind: 'closed' };
    if (away.lostAtMs > nowMs) return { kind: 'probing' };
    const { probeAtMs } = away;
    return nowMs < probeAtMs ? { kind: 'open', probeAtMs } : { kind: 'due' };
  }

  return {
    standing,
    /** Reserves the probe that is due for the caller. */
    beginProbe(nowMs: number) {
      if (away) away.lostAtMs = nowMs + probeTimeoutMs;
    },
    /** There was no message to try with. */
    abandonProbe() {
      if (away) away.lostAtMs = 0;
    },
    /**
     * Records the outcome of a message. Returns the time of the next probe if the attempt is
     * not charged to the message: the provider was known to be away already, or was not tried.
     */
    recordResult(result: SendResult, isProbe: boolean, nowMs: number): number | undefined {
      const outage = result.kind === 'later' ? result.outage : undefined;
      if (!outage || result.kind !== 'later') {
        faults = 0;
        if (!isProbe || !away) return undefined;
        const awayMs = nowMs - away.sinceMs;
        away = undefined;
        onTransition({ kind: 'closed', awayMs });
        return undefined;
      }
      const { code } = result;
      if (!away) {
        faults += 1;
        if (!outage.isSure && faults < faultsInARow) return undefined;
        const probeAtMs = putOff(0, outage, nowMs);
        away = { sinceMs: nowMs, probes: 0, probeAtMs, lostAtMs: 0 };
        onTransition({ kind: 'opened', code, probeAtMs });
        return outage.isUntried ? probeAtMs : undefined;
      }
      if (isProbe) {
        const probes = away.probes + 1;
        const probeAtMs = putOff(probes, outage, nowMs);
        away = { ...away, probes, probeAtMs, lostAtMs: 0 };
        onTransition({ kind: 'still_away', code, probeAtMs });
      } else {
        // Attempts in flight may return a longer pause.
        away.probeAtMs = Math.max(away.probeAtMs, nowMs + (outage.retryAfterMs ?? 0));
      }
      return away.probeAtMs;
    },
  };
}
