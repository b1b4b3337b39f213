import { randomUUID } from 'node:crypto';
import type { Sql } from '../../platform/database/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { insertDeliveries } from '../../messaging/send-queue/queries.ts';
import type { NewDelivery } from '../../messaging/send-queue/queries.ts';
import { listRecipients } from '../../messaging/recipients/queries.ts';
import type { Recipient } from '../../messaging/recipients/queries.ts';
import { isCapped } from '../../messaging/recipients/rules.ts';
import type { SkipReason } from '../../messaging/message-deliveries/rules.ts';
import type { KeptVersions } from '../../campaigns/templates/history/kept-versions.ts';
import { end } from '../ending/end.ts';
import { quietUntil } from '../../messaging/recipients/quiet-hours.ts';
import { grantSlots, slotsMs } from '../timing/rate-slots.ts';
import { variantOf } from '../../messaging/send-queue/variant.ts';
import { gatherFacts, isUnderCap } from './facts.ts';
import type { Facts } from './facts.ts';
import { claimDue, loadContexts, deferJourneys, reserveSlots, writeMoved } from './queries.ts';
import type { DueJourney, JourneyContext } from './queries.ts';
import { earliestOf, mayWaitUntil, refusalOf } from './rules.ts';
import type { Waiting } from './rules.ts';
import { dueSteps, firstSteps } from './steps.ts';
import type { Step } from './steps.ts';
import { publishDecisions } from './publish.ts';

/** Journeys of one transaction. Urgent messages wait for a core behind a large one. */
const batch = 200;
/** Granted so soon, a step goes at once. */
const soonMs = 1_000;
/** Part of a template's pace that is lost if a deciding transaction is rolled back. */
const maxLostMs = 5_000;

/** Runs a statement that commits independently of the transaction. */
export type AtOnce = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** Result of a round. */
export interface Decided {
  journeys: number;
  queued: number;
  skipped: number;
  /** The team of each journey. */
  teamIds: readonly string[];
}

/** A journey as the round leaves it. */
interface Moving {
  journey: DueJourney;
  isNew: boolean;
  scheduled_steps: Record<string, Waiting>;
  done: string[];
}

/**
 * Begins the journeys of a lane that are due, and decides over their steps whose time has come, in
 * the caller's transaction: each becomes a delivery that is queued or skipped, or is put off. Journeys
 * whose template does not send are parked, and those whose version is lost fail. `asOf` is the time
 * by which things are due.
 */
export async function decideDue(
  sql: Sql,
  { versions, atOnce }: { versions: KeptVersions; atOnce: AtOnce },
  lane: number,
  nowMs: number,
): Promise<Decided> {
  const asOf = new Date(nowMs).toISOString();
  const claimed = await claimDue(sql, lane, asOf, batch);
  if (claimed.length === 0) return { journeys: 0, queued: 0, skipped: 0, teamIds: [] };
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

  const movings: Moving[] = [];
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
  const verdicts = judgeSteps(steps, facts, contexts, recipients, nowMs);
  await applyRateLimit({ sql, atOnce }, verdicts, contexts, nowMs);

  const deliveries = settle(movings, verdicts, asOf);
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
  const teamIds = claimed.map(({ team_id }) => team_id);
  return { journeys: claimed.length, queued, skipped: deliveries.length - queued, teamIds };
}

function timezoneOf(
  { contact_id, template_id }: DueJourney,
  contexts: ReadonlyMap<string, JourneyContext>,
  recipients: ReadonlyMap<string, Recipient>,
): string {
  return recipients.get(contact_id)?.timezone ?? contexts.get(template_id)?.timezone ?? 'UTC';
}

/** Decision about a step: it is skipped, waits longer, or is sent. */
type Verdict = { step: Step } & (
  { kind: 'skip'; reason: SkipReason } | { kind: 'wait'; until: Waiting } | { kind: 'go' }
);

/** By the rules, in the order that the steps are due; each that goes counts for the cap at once. */
function judgeSteps(
  steps: readonly Step[],
  facts: Facts,
  contexts: ReadonlyMap<string, JourneyContext>,
  recipients: ReadonlyMap<string, Recipient>,
  nowMs: number,
): Verdict[] {
  return steps.map((step): Verdict => {
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
        const until = { due_at: new Date(untilMs).toISOString(), quiet_since };
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

/**
 * Defers steps that exceed the send rate of their template to the reserved time. Reservations
 * commit in their own transaction, so that lanes do not wait for each other. A large one is made in
 * this transaction, because a rollback would waste it.
 */
async function applyRateLimit(
  { sql, atOnce }: { sql: Sql; atOnce: AtOnce },
  verdicts: Verdict[],
  contexts: ReadonlyMap<string, JourneyContext>,
  nowMs: number,
): Promise<void> {
  const places = groupBy(verdicts.keys(), (at) => {
    const { kind, step } = verdicts[at] ?? {};
    if (kind !== 'go' || step?.waiting.is_granted) return undefined;
    const template = contexts.get(step?.journey.template_id ?? '');
    return template?.send_rate_per_minute == null ? undefined : template;
  });
  const paced = [...places].flatMap(([template, steps]) => {
    const perMinute = template?.send_rate_per_minute ?? 1;
    const tookMs = slotsMs(steps.length, perMinute);
    return template ? [{ template, steps, perMinute, tookMs, isHeld: tookMs > maxLostMs }] : [];
  });
  // Independent reservations come first, so that none waits while this transaction holds a lock.
  // The others are made in one order, so that lanes cannot deadlock.
  paced.sort(
    (one, other) =>
      Number(one.isHeld) - Number(other.isHeld) ||
      (one.template.template_id < other.template.template_id ? -1 : 1),
  );
  for (const { template, steps, perMinute, tookMs, isHeld } of paced) {
    const take = (on: Sql) => reserveSlots(on, template, tookMs, nowMs);
    const firstMs = isHeld ? await take(sql) : await atOnce(take);
    const granted = grantSlots(steps.length, perMinute, firstMs);
    for (const [order, at] of steps.entries()) {
      const grantedMs = granted[order] ?? nowMs;
      const verdict = verdicts[at];
      if (!verdict || grantedMs <= nowMs + soonMs) continue;
      const { quiet_since } = verdict.step.waiting;
      const due_at = new Date(grantedMs).toISOString();
      const until = { due_at, is_granted: true, ...(quiet_since && { quiet_since }) };
      verdicts[at] = { step: verdict.step, kind: 'wait', until };
    }
  }
}

/** Moves the journeys as their steps were judged; gives the deliveries that come of it. */
function settle(
  movings: readonly Moving[],
  verdicts: readonly Verdict[],
  asOf: string,
): NewDelivery[] {
  const byJourney = new Map(movings.map((moving) => [moving.journey.id, moving]));
  return verdicts.flatMap((verdict): NewDelivery[] => {
    const { journey, message, waiting } = verdict.step;
    const moving = byJourney.get(journey.id);
    if (!moving) return [];
    if (verdict.kind === 'wait') {
      moving.scheduled_steps[message.id] = verdict.until;
      return [];
    }
    Reflect.deleteProperty(moving.scheduled_steps, message.id);
    moving.done.push(message.id);
    const { team_id, template_id, contact_id } = journey;
    const isGoing = verdict.kind === 'go';
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
        skip_reason: isGoing ? null : verdict.reason,
        variant_key: variantOf(message.variants, message.id, contact_id) ?? null,
        scheduled_at: waiting.due_at,
        inserted_at: asOf,
      },
    ];
  });
}
