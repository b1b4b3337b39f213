import type { Sql } from '../../platform/database/sql.ts';
import { withSavepoint } from '../../platform/database/savepoint.ts';
import { groupBy } from '../../platform/group-by.ts';
import { parseDefinition } from '../../cohorts/definition/parse.ts';
import { predicateOf } from '../../cohorts/definition/predicate.ts';
import { recipientFacts } from '../../messaging/recipients/facts.ts';
import { countMarketing } from '../../messaging/recipients/queries.ts';
import { findTopicRefusals } from '../../messaging/recipients/topics.ts';
import type { Recipient } from '../../messaging/recipients/queries.ts';
import type { SendCounts } from '../../messaging/recipients/rules.ts';
import { findCompleted, findMeeting } from './queries.ts';
import type { JourneyContext } from './queries.ts';
import type { StepFacts } from './rules.ts';
import type { Step } from './steps.ts';

/** The facts about many steps. */
export interface Facts {
  of(step: Step): Omit<StepFacts, 'isCapped'>;
  /** Marketing sent to the contact; a caller that adds to it changes the counts. */
  hadBy(step: Step): SendCounts;
}

/** Steps that the frequency cap of the team may stop. */
export function isUnderCap({ message }: Step, team: JourneyContext | undefined): boolean {
  const isMarketing = message.purpose === 'marketing' && !message.frequency_cap_exempt;
  return isMarketing && team?.frequency_cap !== null;
}

/** Gathers what the rules ask of steps: a few statements for all of them. */
export async function gatherFacts(
  sql: Sql,
  steps: readonly Step[],
  recipients: ReadonlyMap<string, Recipient>,
  contextOf: (step: Step) => JourneyContext | undefined,
  nowMs: number,
): Promise<Facts> {
  const asOf = new Date(nowMs).toISOString();
  const [completed, had, unmet, refusals] = await Promise.all([
    findCompleted(
      sql,
      steps.flatMap((step) => {
        const objective_id = objectiveOf(step);
        return objective_id === undefined ? [] : [{ ...contactOf(step), objective_id }];
      }),
    ),
    countMarketing(sql, cappedContacts(steps, contextOf), asOf),
    findUnmet(sql, steps, asOf),
    findTopicRefusals(
      sql,
      steps.map((step) => ({ ...contactOf(step), message: step.message })),
    ),
  ]);
  const none: SendCounts = { day: 0, week: 0 };
  return {
    of(step) {
      const { journey, message, waiting } = step;
      const objectiveId = objectiveOf(step);
      return {
        isHoldout: journey.is_holdout,
        deadlineAt: journey.deadline_at,
        dueMs: Date.parse(waiting.due_at),
        isObjectiveCompleted:
          objectiveId !== undefined && completed.has(`${journey.contact_id} ${objectiveId}`),
        isConditionMet: !unmet.has(step),
        recipient: recipientFacts(message, recipients.get(journey.contact_id), refusals),
      };
    },
    hadBy({ journey }) {
      const known = had.get(journey.contact_id) ?? { ...none };
      had.set(journey.contact_id, known);
      return known;
    },
  };
}

const contactOf = ({ journey: { team_id, contact_id } }: Step) => ({ team_id, contact_id });

function objectiveOf({ message: { trigger } }: Step): string | undefined {
  return trigger.kind === 'on_objective_incomplete'
    ? trigger.objective_id?.toLowerCase()
    : undefined;
}

function cappedContacts(
  steps: readonly Step[],
  contextOf: (step: Step) => JourneyContext | undefined,
) {
  const capped = steps.filter((step) => isUnderCap(step, contextOf(step)));
  return [...new Map(capped.map((step) => [step.journey.contact_id, contactOf(step)])).values()];
}

/**
 * Steps whose condition is false for their contact, with one query for each message. A condition
 * that fails to evaluate is false for every contact.
 */
async function findUnmet(sql: Sql, steps: readonly Step[], asOf: string): Promise<Set<Step>> {
  const unmet = new Set<Step>();
  const byMessage = groupBy(
    steps.filter(({ message }) => message.condition !== null),
    ({ journey, message }) =>
      `${journey.template_id} ${String(journey.template_version)} ${message.id}`,
  );
  for (const asked of byMessage.values()) {
    const [first] = asked;
    if (!first) continue;
    const read = parseDefinition(first.message.condition);
    const ids = [...new Set(asked.map(({ journey }) => journey.contact_id))];
    const found =
      'rule' in read
        ? await withSavepoint(sql, () =>
            findMeeting(sql, first.journey.team_id, ids, (bind) =>
              predicateOf(read.rule, bind, asOf),
            ),
          )
        : undefined;
    const meeting = found?.done ? found.value : new Set<string>();
    for (const step of asked) if (!meeting.has(step.journey.contact_id)) unmet.add(step);
  }
  return unmet;
}
