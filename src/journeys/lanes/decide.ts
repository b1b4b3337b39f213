import { randomUUID } from 'node:crypto';
import { isolate } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Log } from '../../platform/observability/log.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { insertDeliveries } from '../../messaging/send-queue/queries.ts';
import type { NewDelivery } from '../../messaging/send-queue/queries.ts';
import { listRecipients } from '../../messaging/recipients/queries.ts';
import type { Recipient } from '../../messaging/recipients/queries.ts';
import { isCapped } from '../../messaging/recipients/rules.ts';
import type { VersionCache } from '../../campaigns/templates/history/kept-versions.ts';
import { end } from '../ending/end.ts';
import { quietUntil } from '../../messaging/recipients/quiet-hours.ts';
import { variantOf } from '../../campaigns/messages/variant.ts';
import { gatherFacts, isUnderCap } from './facts.ts';
import type { Facts } from './facts.ts';
import { claimDue, deferJourneys, journeyLoopName, loadContexts, writeMoved } from './queries.ts';
import type { DueJourney, JourneyContext } from './queries.ts';
import { earliestOf, mayWaitUntil, refusalOf } from './rules.ts';
import type { Waiting } from './rules.ts';
import { dueSteps, firstSteps } from './steps.ts';
import type { Step } from './steps.ts';
import { publishDecisions } from './publish.ts';
import { applyRateLimit } from './send-rate.ts';
import type { AtOnce, StepDecision } from './send-rate.ts';

/** Journeys of one transaction. Urgent messages wait for a core behind a large one. */
const batch = 200;

/** A journey that cannot be decided over ends; it delays no other journey of its lane. */
const journeyLoop: RowLoop<Pick<DueJourney, 'team_id' | 'id'>> = {
  name: journeyLoopName,
  keyOf: ({ team_id, id }) => ({ team_id, id }),
  fail: (sql, { team_id, id }) => end(sql, team_id, [id], { status: 'failed', reason: 'error' }),
};

export interface DecideTools {
  versions: VersionCache;
  atOnce: AtOnce;
  log: Log;
}

/** Result of a round. */
export interface Decided {
  journeys: number;
  queued: number;
  skipped: number;
  /** The team of each journey. */
  teamIds: readonly string[];
}

/** A journey as the round leaves it. */
interface JourneyUpdate {
  journey: DueJourney;
  isNew: boolean;
  scheduled_steps: Record<string, Waiting>;
  done: string[];
}

/**
 * Begins the journeys of a lane that are due, and decides over their steps whose time has come, in
 * the caller's transaction. `nowMs` is the time by which things are due.
 */
export async function decideDue(
  sql: Sql,
  tools: DecideTools,
  lane: number,
  nowMs: number,
): Promise<Decided> {
  const asOf = new Date(nowMs).toISOString();
  const claimed = await claimDue(sql, lane, { asOf, limit: batch });
  const parts = await isolate(sql, tools.log, journeyLoop, claimed, (some) =>
    decide(sql, tools, lane, some, nowMs),
  );
  const total = (count: (part: { queued: number; skipped: number }) => number) =>
    parts.reduce((sum, part) => sum + count(part), 0);
  return {
    journeys: claimed.length,
    queued: total(({ queued }) => queued),
    skipped: total(({ skipped }) => skipped),
    teamIds: claimed.map(({ team_id }) => team_id),
  };
}

/**
 * Decides over claimed journeys: each step that is due becomes a delivery that is queued or
 * skipped, or is put off. Journeys whose template does not send are deferred, and those whose
 * version is lost fail.
 */
async function decide(
  sql: Sql,
  { versions, atOnce }: DecideTools,
  lane: number,
  claimed: readonly DueJourney[],
  nowMs: number,
): Promise<{ queued: number; skipped: number }> {
  const asOf = new Date(nowMs).toISOString();
  const templates = new Map(
    claimed.map(({ team_id, template_id }) => [template_id, { team_id, id: template_id }]),
  );
  const [surroundings, people] = await Promise.all([
    loadContexts(sql, [...templates.values()]),
    listRecipients(sql, claimed),
  ]);
  const contexts = new Map(surroundings.map((one) => [one.template_id, one]));
  const recipients = new Map(people.map((one) => [one.id, one]));
  const isSending = ({ template_id }: DueJourney) =>
    contexts.get(template_id)?.status === 'launched';
  const resting = claimed.filter((journey) => !isSending(journey));
  if (resting.length > 0) {
    const ids = resting.flatMap(({ template_id }) => templates.get(template_id) ?? []);
    await deferJourneys(sql, ids, resting);
  }

  const movings: JourneyUpdate[] = [];
  const steps: Step[] = [];
  for (const journey of claimed.filter(isSending)) {
    const { team_id, template_id, template_version } = journey;
    const content = await versions.find(sql, team_id, template_id, template_version);
    if (!content) {
      await end(sql, team_id, [journey.id], { status: 'failed', reason: 'error' });
      continue;
    }
    const isNew = journey.status === 'scheduled';
    const timezone = timezoneOf(journey, contexts, recipients);
    const scheduled = isNew
      ? firstSteps(content, journey, nowMs, timezone)
      : journey.scheduled_steps;
    const known = content.messages.map(({ id }) => id);
    const kept = Object.entries(scheduled).filter(([id]) => known.includes(id));
    movings.push({ journey, isNew, scheduled_steps: Object.fromEntries(kept), done: [] });
    steps.push(...dueSteps(content, journey, scheduled, nowMs));
  }
  const contextOf = ({ journey }: Step) => contexts.get(journey.template_id);
  const facts = await gatherFacts(sql, steps, recipients, contextOf, nowMs);
  const decisions = evaluateSteps(steps, facts, contexts, recipients, nowMs);
  await applyRateLimit({ sql, atOnce }, decisions, contexts, nowMs);

  const deliveries = applyDecisions(movings, decisions, asOf);
  await writeMoved(
    sql,
    movings.map(({ journey, isNew, scheduled_steps, done }) => ({
      team_id: journey.team_id,
      id: journey.id,
      started_at: isNew ? asOf : null,
      scheduled_steps,
      decided_message_ids: [...journey.decided_message_ids, ...done],
      next_due_at: earliestOf(scheduled_steps),
    })),
  );
  await insertDeliveries(sql, lane, deliveries);
  const begun = movings.filter(({ isNew }) => isNew).map(({ journey }) => journey);
  await publishDecisions(sql, begun, deliveries, asOf);
  const queued = deliveries.filter(({ status }) => status === 'queued').length;
  return { queued, skipped: deliveries.length - queued };
}

function timezoneOf(
  { contact_id, template_id }: DueJourney,
  contexts: ReadonlyMap<string, JourneyContext>,
  recipients: ReadonlyMap<string, Recipient>,
): string {
  return recipients.get(contact_id)?.timezone ?? contexts.get(template_id)?.timezone ?? 'UTC';
}

/** By the rules, in the order that the steps are due; each that goes counts for the cap at once. */
function evaluateSteps(
  steps: readonly Step[],
  facts: Facts,
  contexts: ReadonlyMap<string, JourneyContext>,
  recipients: ReadonlyMap<string, Recipient>,
  nowMs: number,
): StepDecision[] {
  return steps.map((step): StepDecision => {
    const { journey, message, waiting } = step;
    const team = contexts.get(journey.template_id);
    const cap = isUnderCap(step, team) ? team?.frequency_cap : undefined;
    const had = facts.hadBy(step);
    const isOver = cap ? isCapped(had, cap) : false;
    const reason = refusalOf({ ...facts.of(step), isCapped: isOver }, nowMs);
    if (reason !== undefined) return { step, kind: 'skip', reason };
    if (message.respect_quiet_hours && team?.quiet_hours) {
      const untilMs = quietUntil(
        team.quiet_hours,
        nowMs,
        timezoneOf(journey, contexts, recipients),
      );
      if (untilMs !== undefined) {
        const { quiet_since = new Date(nowMs).toISOString() } = waiting;
        if (!mayWaitUntil(untilMs, Date.parse(quiet_since), journey.deadline_at)) {
          return { step, kind: 'skip', reason: 'quiet_hours_expired' };
        }
        const until = { due_at: toTimestamp(untilMs), quiet_since };
        return { step, kind: 'wait', until };
      }
    }
    if (message.purpose === 'marketing') {
      had.day += 1;
      had.week += 1;
    }
    return { step, kind: 'go' };
  });
}

/** Moves the journeys as their steps were evaluated; gives the deliveries that come of it. */
function applyDecisions(
  movings: readonly JourneyUpdate[],
  decisions: readonly StepDecision[],
  asOf: string,
): NewDelivery[] {
  const byJourney = new Map(movings.map((moving) => [moving.journey.id, moving]));
  return decisions.flatMap((decision): NewDelivery[] => {
    const { journey, message, waiting } = decision.step;
    const moving = byJourney.get(journey.id);
    if (!moving) return [];
    if (decision.kind === 'wait') {
      moving.scheduled_steps[message.id] = decision.until;
      return [];
    }
    Reflect.deleteProperty(moving.scheduled_steps, message.id);
    moving.done.push(message.id);
    const { team_id, template_id, contact_id } = journey;
    const isGoing = decision.kind === 'go';
    return [
      {
        team_id,
        template_id,
        contact_id,
        id: randomUUID(),
        journey_id: journey.id,
        message_id: message.id,
        channel: message.channel,
        ...(message.topic_id && { topic_id: message.topic_id }),
        status: isGoing ? 'queued' : 'skipped',
        skip_reason: isGoing ? null : decision.reason,
        variant_key: variantOf(message.variants, message.id, contact_id) ?? null,
        scheduled_at: waiting.due_at,
        inserted_at: asOf,
      },
    ];
  });
}
