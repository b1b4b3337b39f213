import { isUnavailable } from '../src/platform/database/failures.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import {
  again,
  endUnlessSignaled,
  listCounts,
  untouchedFor,
  waitUntil,
} from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import type { JobTarget, Round, RoundRequest } from '../src/platform/jobs/shape.ts';
import { HttpError } from '../src/platform/http/errors.ts';
import { readProgress } from '../src/journeys/progress/queries.ts';
import type { TemplateProgress } from '../src/journeys/progress/queries.ts';
import { moveJourneys } from '../src/journeys/resyncs/move.ts';
import type { JourneyDependencies, JourneyOutlook } from '../src/journeys/resyncs/move.ts';
import { listStaleResyncs, needsResync } from '../src/journeys/resyncs/queries.ts';
import {
  applyDue,
  changeStatus,
  lockTemplate,
  requestResyncIfNeeded,
} from '../src/campaigns/templates/lifecycle.ts';
import { findTemplateForUpdate, listOverdueTemplates } from '../src/campaigns/templates/queries.ts';
import { isUnderWay, nextDue } from '../src/campaigns/templates/rules.ts';
import type { TemplateStatus } from '../src/campaigns/templates/rules.ts';
import { listTeamProviders } from '../src/messaging/sending-providers/queries.ts';
import type { StoredProvider } from '../src/messaging/sending-providers/queries.ts';
import { isTeamSuspended } from '../src/team/suspending/queries.ts';
import { templateJob } from '../workflows/jobs.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';

interface Tools extends JourneyDependencies {
  /** Channels of which nothing is sent, of a team with these providers. */
  halted(providers: readonly StoredProvider[]): string[];
}

/** Passed from round to round. */
interface Progress {
  /** Journeys that the chain of runs has moved. */
  ended: number;
  released: number;
  /** Readings since the last change. */
  readings: number;
}

/** Longest wait for the numbers of a campaign: they must not delay a launch or an expiry. */
const numbersMs = 2_000;
/** Interval of looks at a launch that waits for the end of a suspension; the reconciler is faster. */
const suspendedPauseMs = 600_000;
/** Pauses between two readings of a launched template, each twice as long as the one before. */
const firstPauseMs = 60_000;
const longestPauseMs = 900_000;
/** In the audit trail, for actions of operators. */
const verbs = {
  launch: 'launched',
  pause: 'paused',
  resume: 'resumed',
  expire: 'expired',
} as const;
const yearMs = 365 * 86_400_000;

/** Numbers of a launched template. */
interface Campaign extends Pick<TemplateProgress, 'enrolled' | 'active' | 'messages' | 'skipped'> {
  /** When the next step of a journey is due. */
  nextStepAtMs: number | null;
  /** Channels of which the providers of its team accept no messages now. */
  halted: string[];
}

/** State of a template, and its next scheduled change. */
interface Outlook {
  status: TemplateStatus | 'deleted';
  next?: { action: 'launch' | 'expire'; atMs: number };
  /** Whether its journeys are to be started, moved or ended. */
  needsResync: boolean;
  /** Whether it is scheduled, launched or paused. */
  isUnderWay: boolean;
}

const deleted: Outlook = { status: 'deleted', needsResync: false, isUnderWay: false };

export function runTemplate(tools: Tools): Job<Progress> {
  return {
    shape: templateJob,
    updates: {
      pause: changeBy('pause'),
      resume: changeBy('resume'),
      launchNow: changeBy('launch'),
      expireNow: changeBy('expire'),
    },
    overdue: [untouchedFor(8, listOverdueTemplates), untouchedFor(8, listStaleResyncs)],
    round: (given) => runRound(tools, given),
  };
}

/** Applies what is due, and moves the journeys of the template where that is needed. */
async function runRound(
  tools: Tools,
  {
    teamId,
    id,
    asOfMs,
    isSignaled,
    state = { ended: 0, released: 0, readings: 0 },
  }: RoundRequest<Progress>,
): Promise<Round<Progress>> {
  const outlook = await advance(tools, teamId, id, asOfMs);
  const { status, next } = outlook;
  if (outlook.needsResync) {
    const withinMs = next ? next.atMs - asOfMs : yearMs;
    const moved = await moveJourneys(tools, { teamId, templateId: id, withinMs });
    const total = {
      ...state,
      ended: state.ended + moved.ended,
      released: state.released + moved.released,
    };
    const details = `${describe(outlook)} ${describeJourneys(moved, total)}`;
    return again(details, { state: total });
  }
  if (!outlook.isUnderWay && !next) {
    const { ended, released } = state;
    return endUnlessSignaled({ outcome: status, ended, released }, describeEnd(status, state), {
      state,
    });
  }
  const readings = isSignaled ? 0 : state.readings + 1;
  const isShown = status === 'launched' || status === 'paused';
  const campaign = isShown ? await readCampaign(tools, teamId, id) : undefined;
  const { atMs, summary } = nextReading(outlook, readings);
  return waitUntil(atMs, summary, describe(outlook, campaign), {
    shown: { dueAt: next?.atMs ?? null },
    state: { ...state, readings },
  });
}

/**
 * Applies everything due at `asOfMs` to the current row, with its events, in one transaction.
 * Late, early and repeated calls are harmless.
 */
function advance(
  { database, log }: Tools,
  teamId: string,
  id: string,
  asOfMs: number,
): Promise<Outlook> {
  return database.transact(async (sql): Promise<Outlook> => {
    const before = await findTemplateForUpdate(sql, teamId, id);
    if (!before) return deleted;
    const row = await applyDue(sql, before, asOfMs);
    await requestResyncIfNeeded(sql, before, row);
    if (row.status !== before.status) {
      const change = { from: before.status, to: row.status, lateMs: lateness(before, asOfMs) };
      log.info({ team_id: teamId, template_id: id, ...change }, 'template advanced');
    }
    const due = nextDue(row);
    // Due and not applied: the team is suspended.
    const atMs = due && (isDue(due, asOfMs) ? asOfMs + suspendedPauseMs : Date.parse(due.at));
    return {
      status: row.status,
      ...(due && { next: { action: due.action, atMs: atMs ?? asOfMs } }),
      needsResync: await needsResync(sql, row),
      isUnderWay: isUnderWay(row.status),
    };
  });
}

/** Undefined while Postgres is slow. */
async function readCampaign(
  { database, log, halted }: Tools,
  teamId: string,
  id: string,
): Promise<Campaign | undefined> {
  try {
    const read = (sql: Sql) =>
      Promise.all([readProgress(sql, { team_id: teamId, id }), listTeamProviders(sql, [teamId])]);
    const [progress, rows] = await database.read(read, { deadlineMs: numbersMs });
    const { next_step_at: nextStepAt, ...numbers } = progress;
    const nextStepAtMs = nextStepAt === null ? null : Date.parse(nextStepAt);
    return { ...numbers, nextStepAtMs, halted: halted(rows) };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.warn({ err: error, template_id: id }, 'the numbers of a template are not read');
    return undefined;
  }
}

/** An action of operators. */
const changeBy =
  (action: keyof typeof verbs) =>
  async (sql: Sql, { teamId, id }: JobTarget) => {
    try {
      const row = await lockTemplate(sql, teamId, id);
      const actor = { cause: 'operator', clientId: null, nowMs: Date.now() } as const;
      const begins = action === 'launch' || action === 'resume';
      if (begins && (await isTeamSuspended(sql, teamId))) {
        return { refusal: 'The team is suspended: resume it first.' };
      }
      const mustBeComplete = action === 'launch';
      const changed = await changeStatus(sql, row, action, actor, { mustBeComplete });
      await requestResyncIfNeeded(sql, row, changed);
      const { status } = changed;
      const done = `The template is ${status}.`;
      return { done, action: `template.${verbs[action]}`, changedFields: ['status'] };
    } catch (error) {
      if (error instanceof HttpError) return { refusal: error.message };
      throw error;
    }
  };

const isDue = ({ at }: { at: string }, asOfMs: number) => Date.parse(at) <= asOfMs;

function lateness(row: Parameters<typeof nextDue>[0], asOfMs: number): number | undefined {
  const due = nextDue(row);
  return due && asOfMs - Date.parse(due.at);
}

/** Until the next change; a launched template is read again sooner, less often as time goes on. */
function nextReading({ status, next }: Outlook, readings: number) {
  const changeAtMs = next?.atMs ?? Date.now() + yearMs;
  const againAtMs = Date.now() + Math.min(firstPauseMs * 2 ** readings, longestPauseMs);
  if (status === 'launched' && againAtMs < changeAtMs) {
    const then = next ? `; ${describeNext(next)}` : '';
    return { atMs: againAtMs, summary: `Reads the numbers of the campaign again${then}` };
  }
  const summary = next ? describeNext(next) : 'Waits for a change of the template';
  return { atMs: changeAtMs, summary };
}

function describe({ status, next, isUnderWay: isOpen }: Outlook, campaign?: Campaign): string {
  if (!isOpen) return `The template is ${status}.`;
  const then = next
    ? `It ${describeNext(next)}, unless a client changes that before.`
    : 'No launch or expiry is scheduled.';
  const numbers = campaign ? ` ${describeCampaign(campaign)}` : '';
  return `The template is ${status}. ${then}${numbers}`;
}

function describeCampaign(campaign: Campaign): string {
  const { enrolled, active, messages, skipped, nextStepAtMs, halted } = campaign;
  // A message stays counted as queued, and is counted by its outcome, too.
  const { queued = 0, skipped: left = 0, ...became } = messages;
  const [figures, reasons] = [listCounts(became), listCounts(skipped)];
  const step =
    nextStepAtMs === null
      ? 'No step of a journey is scheduled.'
      : `The next step of a journey is due at ${toTimestamp(nextStepAtMs)}.`;
  return (
    `${String(enrolled)} contacts enrolled, ${String(active)} journeys open. ` +
    `${String(queued)} messages queued so far${figures === '' ? '' : `, of which ${figures}`}; ` +
    `${String(left)} skipped${reasons === '' ? '' : ` (${reasons})`}. ` +
    step +
    (halted.length > 0 ? ` The provider of ${halted.join(', ')} takes no messages now.` : '') +
    ` Read at ${new Date().toISOString()}; the signal \`changed\` reads it now.`
  );
}

function describeNext({ action, atMs }: NonNullable<Outlook['next']>): string {
  const verb = action === 'launch' ? 'launches' : 'expires';
  return `${verb} at ${toTimestamp(atMs)}`;
}

function describeEnd(status: Outlook['status'], { ended, released }: Progress): string {
  const moved =
    ended + released > 0
      ? ` ${String(ended)} journeys were ended and ${String(released)} went on.`
      : '';
  return status === 'deleted'
    ? `The template was deleted.${moved}`
    : `The template is ${status}: no launch and no expiry is scheduled.${moved}`;
}

function describeJourneys(
  { members, seen, enrolled, isDone }: JourneyOutlook,
  { ended, released }: Progress,
): string {
  const scanned =
    members > 0 || seen > 0
      ? `Of ${String(members)} members of its cohorts ${String(seen)} were looked at, and ` +
        `${String(enrolled)} enrolled. `
      : '';
  const moved = `${String(ended)} journeys were ended and ${String(released)} go on. `;
  return scanned + moved + (isDone ? 'All of its journeys follow it.' : 'There are more to come.');
}
