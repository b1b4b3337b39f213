import { opensInARow, scheduledPause } from './rules.ts';

/** State of a circuit breaker. */
export type BreakerState =
  /** Attempts are made. */
  | { kind: 'closed' }
  /** No attempt is made before the next probe. */
  | { kind: 'open'; probeAtMs: number }
  /** One attempt may be made as a probe. */
  | { kind: 'due' }
  /** The probe is in flight. */
  | { kind: 'probing' };

/** Change of the state of a breaker. */
export type BreakerTransition =
  | { kind: 'opened'; code: string; probeAtMs: number }
  | { kind: 'probe_failed'; code: string; probeAtMs: number }
  | { kind: 'closed'; outageMs: number };

/** Failure of an attempt for which the other side, and not the attempt, may be the cause. */
export interface Fault {
  code: string;
  /** True: no attempt can succeed now. False: this attempt may be the cause. */
  isSure: boolean;
  /** Nothing left the process, so that this was no attempt. */
  isUntried?: boolean;
  /** Pause that the other side requests, in ms. */
  retryAfterMs?: number;
}

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Stops attempts while they cannot succeed. It opens after a fault that is certainly of the other
 * side, or after several in a row that may be. Then one attempt at a time is the probe.
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
  onTransition: (transition: BreakerTransition) => void,
) {
  let faults = 0;
  let outage: { sinceMs: number; probes: number; probeAtMs: number; lostAtMs: number } | undefined;

  function nextProbeAt(probes: number, { retryAfterMs = 0 }: Fault, nowMs: number): number {
    return nowMs + Math.max(scheduledPause(probeScheduleMs, probes), retryAfterMs);
  }

  function close(nowMs: number): void {
    if (!outage) return;
    const outageMs = nowMs - outage.sinceMs;
    outage = undefined;
    onTransition({ kind: 'closed', outageMs });
  }

  return {
    stateAt(nowMs: number): BreakerState {
      if (!outage) return { kind: 'closed' };
      if (outage.lostAtMs > nowMs) return { kind: 'probing' };
      const { probeAtMs } = outage;
      return nowMs < probeAtMs ? { kind: 'open', probeAtMs } : { kind: 'due' };
    },
    /** Reserves the probe that is due for the caller. */
    beginProbe(nowMs: number) {
      if (outage) outage.lostAtMs = nowMs + probeTimeoutMs;
    },
    /**
     * Takes over what another process has found out: that the circuit is open, or that it is closed
     * again. It is no transition of this process.
     */
    follow(found: { sinceMs: number; probeAtMs: number } | undefined) {
      if (found) outage ??= { ...found, probes: 0, lostAtMs: 0 };
      else if (outage) {
        outage = undefined;
        faults = 0;
      }
    },
    /** There was nothing to try. */
    abandonProbe() {
      if (outage) outage.lostAtMs = 0;
    },
    /**
     * Records the outcome of an attempt, with its fault if there is one. Returns the time of the
     * next probe if the attempt is not charged: the circuit was open, or nothing was tried.
     */
    recordResult(fault: Fault | undefined, isProbe: boolean, nowMs: number): number | undefined {
      if (!fault) {
        faults = 0;
        if (isProbe) close(nowMs);
        return undefined;
      }
      const { code } = fault;
      if (!outage) {
        faults += 1;
        if (!fault.isSure && !opensInARow(faults)) return undefined;
        const probeAtMs = nextProbeAt(0, fault, nowMs);
        outage = { sinceMs: nowMs, probes: 0, probeAtMs, lostAtMs: 0 };
        onTransition({ kind: 'opened', code, probeAtMs });
        return fault.isUntried ? probeAtMs : undefined;
      }
      if (isProbe) {
        const probes = outage.probes + 1;
        const probeAtMs = nextProbeAt(probes, fault, nowMs);
        outage = { ...outage, probes, probeAtMs, lostAtMs: 0 };
        onTransition({ kind: 'probe_failed', code, probeAtMs });
      } else {
        // Attempts in flight may return a longer pause.
        outage.probeAtMs = Math.max(outage.probeAtMs, nowMs + (fault.retryAfterMs ?? 0));
      }
      return outage.probeAtMs;
    },
  };
}
