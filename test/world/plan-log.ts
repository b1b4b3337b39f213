/**
 * The plans that Postgres logs on request, with the rows that they really read: they show statements
 * that compare rows without a match, since a plan was made for a table that was empty or small.
 */
let isRequested = false;

/** Lets every Postgres that starts later log a share of its plans, which slows it down. */
export function logPlans(): void {
  isRequested = true;
}

/** Settings of Postgres; none unless plans were requested. */
export const planLogSettings = (): Readonly<Record<string, string>> =>
  isRequested
    ? {
        shared_preload_libraries: 'auto_explain',
        'auto_explain.log_min_duration': '1ms',
        'auto_explain.log_analyze': 'on',
        'auto_explain.log_timing': 'off',
        'auto_explain.log_parameter_max_length': '20',
        'auto_explain.sample_rate': '0.2',
      }
    : {};

/** Pairs of rows, compared without a match, from which a plan is reported. */
const manyPairs = 1_000;
const shownCharacters = 140;

/** A statement whose plans compared many rows without a match. */
interface Wasteful {
  statement: string;
  /** Plans in the log, and the milliseconds that they took together. */
  plans: number;
  ms: number;
  /** Most pairs that one step of a plan compared without a match, for each time that it ran. */
  pairs: number;
}

/** Statements of a log that compared many rows without a match, those that took longest first. */
export function findWasteful(log: string): Wasteful[] {
  const found = new Map<string, Wasteful>();
  for (const part of log.split('duration: ').slice(1)) {
    const text = /Query Text: (.*?)(?:Query Parameters|\n\t[A-Z]|$)/s.exec(part)?.[1] ?? '';
    const statement = text.replaceAll(/\s+/g, ' ').trim().slice(0, shownCharacters);
    const removed = [...part.matchAll(/Rows Removed by Join Filter: (\d+)/g)];
    const pairs = Math.max(0, ...removed.map(([, count]) => Number(count)));
    if (pairs < manyPairs) continue;
    const known = found.get(statement) ?? { statement, plans: 0, ms: 0, pairs: 0 };
    found.set(statement, {
      statement,
      plans: known.plans + 1,
      ms: known.ms + Number.parseFloat(part),
      pairs: Math.max(known.pairs, pairs),
    });
  }
  return [...found.values()].sort((a, b) => b.ms - a.ms);
}

/** Lines for a log of which plans were requested; none otherwise. */
export const describeWasteful = (log: string): string[] =>
  isRequested
    ? findWasteful(log).map(
        ({ statement, plans, ms, pairs }) =>
          `plans: ${String(plans)} of ${String(Math.round(ms))} ms compared up to ${String(pairs)} pairs of rows without a match: ${statement}`,
      )
    : [];
