import { bisect } from '../../platform/batching/bisect.ts';
import type { Attempt } from '../../platform/batching/bisect.ts';
import { isUnavailable } from '../../platform/database/failures.ts';
import { groupBy } from '../../platform/group-by.ts';
import { visitsLost } from '../../platform/http/metrics.ts';
import type { Services } from '../../platform/http/services.ts';
import { recordVisits } from './record.ts';
import type { NotedVisit } from './record.ts';

/** A visit waits so long for other clicks of the same message. */
const settleMs = 1_000;
/** Time for which clicks are known to those that follow. */
const rememberMs = 3_000;
/** Visits of a process in memory; at most 3 KB each. */
const maxVisits = 10_000;
const maxGroupSize = 200;

type NewVisit = Omit<NotedVisit, 'clicks'>;

export type Visits = ReturnType<typeof createVisits>;

// By the services of the process: two of them in one test do not share what they remember.
const known = new WeakMap<Services, Visits>();

export function visitsOf(services: Services): Visits {
  const visits = known.get(services) ?? createVisits(services);
  known.set(services, visits);
  return visits;
}

/**
 * Records visits of tracked links in groups, a second after they were made, so that clicks of one
 * message are seen together. Visits that are in memory when the process dies are lost, which these
 * figures may be; so are those that Postgres does not take.
 */
function createVisits({ database, log }: Pick<Services, 'database' | 'log'>) {
  /** By message, link, kind of request and second: a flood on one link is one visit a second. */
  const noted = new Map<string, { visit: NewVisit; isDue: boolean }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function lose(reason: string, count: number): void {
    visitsLost.inc({ reason }, count);
  }

  async function attempt(visits: readonly NotedVisit[]): Promise<Attempt<readonly null[]>> {
    try {
      await database.transact((sql) => recordVisits(sql, visits));
      return { done: true, value: visits.map(() => null) };
    } catch (error) {
      return { done: false, error };
    }
  }

  async function store(visits: readonly NotedVisit[]): Promise<void> {
    for (let at = 0; at < visits.length; at += maxGroupSize) {
      const group = visits.slice(at, at + maxGroupSize);
      const outcomes = await bisect(group, attempt, isUnavailable);
      for (const outcome of outcomes) {
        if (outcome.done) continue;
        lose(isUnavailable(outcome.error) ? 'unavailable' : 'error', 1);
        log.warn({ err: outcome.error }, 'a visit of a tracked link could not be recorded');
      }
    }
  }

  /** Takes the visits out that are due, with the clicks around them. */
  function takeDue(nowMs: number): NotedVisit[] {
    const clicks = [...noted.values()].map(({ visit }) => visit);
    const bySend = groupBy(
      clicks.filter(({ target }) => target !== null),
      ({ send }) => send.id,
    );
    const due: NotedVisit[] = [];
    for (const [key, one] of noted) {
      const { visit } = one;
      if (one.isDue && visit.atMs + settleMs <= nowMs) {
        one.isDue = false;
        due.push({ ...visit, clicks: bySend.get(visit.send.id) ?? [] });
      }
      if (visit.atMs + rememberMs <= nowMs) noted.delete(key);
    }
    return due;
  }

  function work(): void {
    timer = undefined;
    writing = store(takeDue(Date.now())).finally(() => {
      writing = undefined;
      if (noted.size > 0) plan();
    });
  }

  /** One group of visits is written at a time; those that come meanwhile wait in `noted`. */
  function plan(): void {
    if (!writing) timer ??= setTimeout(work, settleMs).unref();
  }

  return {
    record(visit: NewVisit): void {
      const { send, target, atMs, agent, isAhead } = visit;
      const second = String(Math.floor(atMs / 1_000));
      const key = [send.id, target ?? '', agent, String(isAhead), second].join(' ');
      if (noted.has(key)) return;
      if (noted.size >= maxVisits) {
        lose('overload', 1);
        return;
      }
      noted.set(key, { visit, isDue: true });
      plan();
    },
    /** Records what waits. */
    async close(): Promise<void> {
      await writing;
      clearTimeout(timer);
      await store(takeDue(Infinity));
    },
  };
}
