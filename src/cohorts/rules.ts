/** Rules of cohorts, without I/O or clock. */

const defaultRefreshSeconds = 3_600;

export interface Schedule {
  kind: 'dynamic' | 'static';
  evaluation_mode: 'realtime' | 'scheduled' | 'on_demand';
  refresh_interval_seconds: number | null;
}

/** The stored form of a schedule: static cohorts have none, all modes but on_demand an interval. */
export function scheduleOf({ kind, evaluation_mode, refresh_interval_seconds }: Schedule) {
  const mode = kind === 'static' ? ('on_demand' as const) : evaluation_mode;
  const seconds = refresh_interval_seconds ?? defaultRefreshSeconds;
  return {
    evaluation_mode: mode,
    refresh_interval_seconds: mode === 'on_demand' ? null : seconds,
  };
}

/** Whether a cohort is evaluated without a request. */
export function isKeptFresh({ evaluation_mode: mode }: Pick<Schedule, 'evaluation_mode'>): boolean {
  return mode !== 'on_demand';
}

/** Whether an evaluation was requested and is not finished. */
export function isPending({ evaluation_status: status }: { evaluation_status: string }): boolean {
  return status === 'queued' || status === 'evaluating';
}

/** Depth of references from cohort to cohort, counted from the one that is written. */
export const maxReferenceDepth = 3;

/**
 * Whether references lead back to a cohort or too deep. `referencesOf` gives the cohorts that one
 * names in its definition.
 */
export function referenceFault(
  id: string,
  referenced: readonly string[],
  referencesOf: ReadonlyMap<string, readonly string[]>,
): 'cohort_cycle' | 'cohort_depth' | undefined {
  let level = [...referenced];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (level.includes(id)) return 'cohort_cycle';
    if (depth > maxReferenceDepth) return 'cohort_depth';
    level = level.flatMap((one) => referencesOf.get(one) ?? []);
  }
  return undefined;
}
