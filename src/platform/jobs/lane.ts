import { listCounts } from './list-counts.ts';
import type { LaneArguments, LaneReport, LaneShape } from './shape.ts';

/** The work of a kind of lanes. */
export interface Lane {
  shape: LaneShape;
  /** Processes one lane until nothing has been due for a while. It may be cut off at any moment. */
  drain(args: LaneArguments): Promise<LaneReport>;
}

/** The report of a drain. `counts` go on from those of the drain before. */
export function reportOf({
  teams,
  before,
  details,
  ...found
}: Omit<LaneReport, 'teams'> & {
  teams: Record<string, number>;
  before: LaneReport | undefined;
}): LaneReport {
  // A drain that found nothing to do says nothing new.
  const busiest = listCounts(teams) === '' ? before?.teams : teams;
  if (!busiest) return { ...found, details };
  const line = `${details} Busiest teams: ${listCounts(busiest)}.`;
  return { ...found, details: line, teams: busiest };
}
