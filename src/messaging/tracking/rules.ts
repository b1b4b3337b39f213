import { isMachineAgent } from '../../engagement/engagement-events/rules.ts';

/** Rules of opens and clicks, without I/O or clock. */

/** Length of the longest address that is tracked, in bytes. */
export const maxTrackedBytes = 1_000;
/** Opens, clicks and opens of machines of one delivery that are recorded, each. */
const maxRecorded = 100;
/** A click so soon after the message was sent, or after other clicks, is one of a scanner. */
const soonMs = 1_000;
/** Different links of one message that nobody opens within that time. */
const manyLinks = 3;

/** Program that asked for a link; the text that it names itself by is not stored. */
export type AgentClass = 'machine' | 'mobile' | 'desktop' | 'unknown';

/** A request for a link of a message. */
export interface Visit {
  /** Null for the picture. */
  target: string | null;
  atMs: number;
  agent: AgentClass;
  /** Whether the request itself shows that nobody looks at its answer. */
  isAhead: boolean;
}

export function agentClassOf(userAgent: string | undefined): AgentClass {
  if (userAgent === undefined || userAgent === '') return 'unknown';
  if (isMachineAgent(userAgent)) return 'machine';
  // They fetch for a person, whose device they do not name.
  if (/imageproxy|mailproxy/i.test(userAgent)) return 'unknown';
  return /mobi|android|iphone|ipad/i.test(userAgent) ? 'mobile' : 'desktop';
}

/** Whether the link of a delivery of that time has ended. */
export function hasLinkEnded(insertedMs: number, nowMs: number, days: number): boolean {
  return nowMs - insertedMs > days * 86_400_000;
}

/** Whether a request asks for the head alone, or says that it fetches ahead of a person. */
export function isFetchedAhead(method: string, purposes: readonly unknown[]): boolean {
  return (
    method === 'HEAD' || purposes.some((text) => /prefetch|prerender|preview/i.test(String(text)))
  );
}

/**
 * Whether a machine has made a visit. `sentMs` is the time when the message was sent; undefined
 * while that is not recorded. `clicks` are those of the message around the same time, this included.
 */
export function isMachineVisit(
  { target, atMs, agent, isAhead }: Visit,
  sentMs: number | undefined,
  clicks: readonly Pick<Visit, 'target' | 'atMs'>[],
): boolean {
  if (isAhead || agent === 'machine') return true;
  if (target === null) return false;
  if (sentMs === undefined || atMs - sentMs < soonMs) return true;
  const near = clicks.filter((click) => Math.abs(click.atMs - atMs) <= soonMs);
  return new Set(near.map((click) => click.target)).size >= manyLinks;
}

/** Counters of a delivery. */
export interface Counters {
  open_count: number;
  click_count: number;
  machine_open_count: number;
}

/** Whether a delivery takes one more visit of its kind. Clicks of machines are counted nowhere. */
export function mayRecord(counters: Counters, { target }: Visit, isMachine: boolean): boolean {
  if (target !== null) return isMachine || counters.click_count < maxRecorded;
  return (isMachine ? counters.machine_open_count : counters.open_count) < maxRecorded;
}

/** The counters after a visit. */
export function countedBy(before: Counters, { target }: Visit, isMachine: boolean): Counters {
  const { open_count, click_count, machine_open_count } = before;
  if (target !== null) return isMachine ? before : { ...before, click_count: click_count + 1 };
  return isMachine
    ? { ...before, machine_open_count: machine_open_count + 1 }
    : { ...before, open_count: open_count + 1 };
}

/**
 * Part of a visit's key that repeats within the time in which it counts once: a minute. A machine
 * counts once for each link, however often it returns.
 */
export function periodOf({ target, atMs }: Visit, isMachine: boolean): string {
  if (isMachine && target !== null) return 'machine';
  return `${isMachine ? 'machine' : 'person'} ${String(Math.floor(atMs / 60_000))}`;
}
