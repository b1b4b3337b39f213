import type { Sql } from '../../platform/database/sql.ts';
import type { JourneyStatus } from '../../cohorts/definition/journey-statuses.ts';
import type { NextStep } from '../watches/rules.ts';
import { listSteps } from './queries.ts';
import type { Step } from './queries.ts';

interface Place {
  team_id: string;
  id: string;
  status: JourneyStatus;
  next_due_at: string | null;
}

const triggeredLater: ReadonlySet<string> = new Set(['on_event', 'on_page']);

/** The next step of a journey by its steps as the API explains them, and how many wait for others. */
export async function findNextStep(
  sql: Sql,
  journey: Place,
): Promise<{ next: NextStep | null; awaiting: number }> {
  const { status, next_due_at: startsAt } = journey;
  const steps = await listSteps(sql, journey);
  const isLater = ({ state, trigger_kind }: Step) =>
    state === 'not_due' && triggeredLater.has(trigger_kind);
  const next: NextStep | null =
    status === 'scheduled' && startsAt !== null
      ? { kind: 'start', atMs: Date.parse(startsAt) }
      : earliestOf(steps);
  return { next, awaiting: steps.filter(isLater).length };
}

function earliestOf(steps: readonly Step[]): NextStep | null {
  const waiting = steps.flatMap(({ state, due_at: dueAt, ...step }) =>
    state === 'waiting' && dueAt !== null ? [{ ...step, atMs: Date.parse(dueAt) }] : [],
  );
  const [first] = waiting.sort((one, other) => one.atMs - other.atMs);
  if (!first) return null;
  const { message_id: messageId, name, channel, day, atMs } = first;
  return { kind: 'message', atMs, messageId, name, channel, day: day ?? 0 };
}
