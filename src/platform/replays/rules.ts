/** Rules of replays, without I/O or clock, for endpoints, activity and workflow. */

export const replayStatuses = ['pending', 'running', 'completed', 'canceled', 'failed'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

export function isOpen(status: ReplayStatus): status is 'pending' | 'running' {
  return status === 'pending' || status === 'running';
}

export const defaultRate = 20;
export const highestRate = 10_000;
/** Longest window of a filter. */
export const maxWindowMs = 30 * 86_400_000;

/** The rate is an average over this time: a round replays its share immediately, and then waits. */
const roundSeconds = 5;

/** Deliveries that a round may replay. */
export function roundSize(ratePerSecond: number): number {
  return ratePerSecond * roundSeconds;
}

/** When the round after one that began then may begin, so that the rate is kept. */
export function nextRoundAtMs(beganAtMs: number, replayed: number, ratePerSecond: number): number {
  return beganAtMs + Math.ceil((replayed / ratePerSecond) * 1_000);
}

/** A delivery in the way of a replay, and whether there is anything to replay of it. */
export interface Candidate {
  state: 'replayable' | 'refused' | 'expired';
  /** Size of the payload as stored. */
  bytes: number;
}

/**
 * The beginning of a page that is replayed in one transaction: at most `most` that have something
 * to replay, and so many bytes, but at least one.
 */
export function chunkOf<Found extends Candidate>(
  page: readonly Found[],
  most: number,
  maxBytes: number,
): Found[] {
  let count = 0;
  let bytes = 0;
  const end = page.findIndex((candidate) => {
    if (candidate.state !== 'replayable') return false;
    count += 1;
    bytes += candidate.bytes;
    return count > most || (count > 1 && bytes > maxBytes);
  });
  return end < 0 ? [...page] : page.slice(0, end);
}
