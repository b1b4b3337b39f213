/** Rules of the template lifecycle. Pure: used by endpoints, activity and workflow. */

export const templateStatuses = [
  'draft',
  'scheduled',
  'launched',
  'paused',
  'archived',
  'expired',
] as const;
export type TemplateStatus = (typeof templateStatuses)[number];

/** The part of a template that the law looks at; timestamps are RFC 3339. */
export interface Lifecycle {
  status: TemplateStatus;
  is_locked: boolean;
  /** Present only while the template is scheduled. */
  scheduled_at: string | null;
  deadline_at: string | null;
  /** First launch. */
  launched_at: string | null;
  /** Present only while the template is paused. */
  paused_at: string | null;
  expired_at: string | null;
  /** Present only while the template is archived. */
  archived_at: string | null;
  locked_at: string | null;
}

/** Actions of clients, by the states that allow them (ADR 24). */
const asked = {
  schedule: ['draft', 'scheduled'],
  unschedule: ['scheduled'],
  launch: ['draft', 'scheduled'],
  pause: ['launched'],
  resume: ['paused'],
  expire: ['launched', 'paused', 'scheduled'],
  archive: ['draft', 'scheduled', 'paused', 'expired'],
  unarchive: ['archived'],
  lock: ['draft', 'scheduled', 'launched', 'paused', 'expired'],
  unlock: ['draft', 'paused', 'expired'],
} as const satisfies Record<string, readonly TemplateStatus[]>;

/** Every action, and the states that it leads out of. */
export const transitions: Readonly<Record<TemplateAction, readonly TemplateStatus[]>> = {
  ...asked,
  // The timer's: the time to launch came, but the template was not complete.
  fail_launch: ['scheduled'],
};

export type ClientAction = keyof typeof asked;
export type TemplateAction = ClientAction | 'fail_launch';

/** Actions that a client may take in a state, for `meta.allowed_actions`. */
export function allowedActions(status: TemplateStatus): TemplateAction[] {
  return Object.entries(asked)
    .filter(([, from]) => from.some((state) => state === status))
    .map(([action]) => action)
    .filter(isAction);
}

function isAction(text: string): text is ClientAction {
  return Object.hasOwn(asked, text);
}

export type Refusal = 'invalid_state_transition' | 'template_locked' | 'deadline_passed';
export type Outcome = { refusal: Refusal } | { changes: Partial<Omit<Lifecycle, 'is_locked'>> };

/**
 * Changes of an action, or the reason of its refusal. The caller adds the time of a `schedule`.
 * Completeness is a separate check (`missingParts`), since it needs more than the row.
 */
export function applyAction(row: Lifecycle, action: TemplateAction, nowMs: number): Outcome {
  if (action === 'unlock' && (row.status === 'launched' || row.status === 'scheduled')) {
    return { refusal: 'template_locked' };
  }
  if (!transitions[action].includes(row.status)) return { refusal: 'invalid_state_transition' };
  if ((action === 'launch' || action === 'resume') && isPast(row.deadline_at, nowMs)) {
    return { refusal: 'deadline_passed' };
  }
  const now = new Date(nowMs).toISOString();
  const left = leave(row.status);
  switch (action) {
    case 'schedule':
      return { changes: { status: 'scheduled' } };
    case 'unschedule':
    case 'fail_launch':
      return { changes: { ...left, status: 'draft' } };
    case 'launch':
    case 'resume': {
      const launchedAt = row.launched_at ?? now;
      const lockedAt = row.locked_at ?? now;
      const changes = { ...left, launched_at: launchedAt, locked_at: lockedAt };
      return { changes: { ...changes, status: 'launched' } };
    }
    case 'pause':
      return { changes: { status: 'paused', paused_at: now } };
    case 'expire':
      return { changes: { ...left, status: 'expired', expired_at: now } };
    case 'archive':
      return { changes: { ...left, status: 'archived', archived_at: now } };
    case 'unarchive':
      return { changes: { ...left, ...unarchived(row, nowMs) } };
    case 'lock':
      return { changes: row.locked_at === null ? { locked_at: now } : {} };
    case 'unlock':
      return { changes: row.locked_at === null ? {} : { locked_at: null } };
    default:
      return action satisfies never;
  }
}

/** Stamps that say "since when" end with their state. */
function leave(status: TemplateStatus): Partial<Lifecycle> {
  if (status === 'scheduled') return { scheduled_at: null };
  if (status === 'paused') return { paused_at: null };
  if (status === 'archived') return { archived_at: null };
  return {};
}

/** Never resumes sending by itself (ADR 24). */
function unarchived(row: Lifecycle, nowMs: number): Partial<Lifecycle> {
  const now = new Date(nowMs).toISOString();
  if (row.launched_at === null) return { status: 'draft', expired_at: null };
  if (isPast(row.deadline_at, nowMs)) {
    return { status: 'expired', expired_at: row.expired_at ?? now };
  }
  return { status: 'paused', paused_at: now, expired_at: null };
}

export interface Due {
  action: 'launch' | 'expire';
  /** When, RFC 3339. */
  at: string;
}

/** The upcoming transition by the clock. Expiry precedes a launch that is not earlier. */
export function nextDue(row: Lifecycle): Due | undefined {
  const launchAt = row.status === 'scheduled' ? row.scheduled_at : null;
  const expireAt = transitions.expire.includes(row.status) ? row.deadline_at : null;
  if (launchAt !== null && (expireAt === null || Date.parse(launchAt) < Date.parse(expireAt))) {
    return { action: 'launch', at: launchAt };
  }
  return expireAt === null ? undefined : { action: 'expire', at: expireAt };
}

/** The transition that is due. If both are overdue, the template expires without a launch. */
export function dueTransition(row: Lifecycle, asOfMs: number): Due | undefined {
  if (transitions.expire.includes(row.status) && isPast(row.deadline_at, asOfMs)) {
    return { action: 'expire', at: row.deadline_at };
  }
  const next = nextDue(row);
  return next && isPast(next.at, asOfMs) ? next : undefined;
}

/** Whether a template is under way: its workflow lives from its schedule or launch to its end. */
export function isUnderWay(status: TemplateStatus): boolean {
  return status === 'scheduled' || status === 'launched' || status === 'paused';
}

/** Whether a change affects the workflow of the template, which then reads the row again. */
export function affectsWorkflow(before: Lifecycle, after: Lifecycle): boolean {
  const [was, is] = [nextDue(before), nextDue(after)];
  if (!was && !is && !isUnderWay(before.status) && !isUnderWay(after.status)) return false;
  return before.status !== after.status || was?.action !== is?.action || was?.at !== is?.at;
}

/** Whether a change of a template is to move, start or end its journeys. */
export function affectsJourneys(before: Lifecycle, after: Lifecycle & { entry: string }): boolean {
  if (after.launched_at === null || after.status === 'draft') return false;
  if (before.launched_at === null) return after.entry === 'on_launch_snapshot';
  if (before.deadline_at !== after.deadline_at) return true;
  return before.status !== after.status && after.status !== 'paused';
}

function isPast(at: string | null, nowMs: number): at is string {
  return at !== null && Date.parse(at) <= nowMs;
}

/** Longest time ahead that a launch may be scheduled. */
export const scheduleHorizonMs = 366 * 86_400_000;

export interface DateProblem {
  field: 'scheduled_at' | 'deadline_at';
  rule: 'min' | 'max' | 'date_order';
}

/**
 * The problems of the dates that a client writes. Dates that it does not write are not checked
 * (ADR 25).
 */
export function dateProblems(
  written: { scheduled_at?: string | null | undefined; deadline_at?: string | null | undefined },
  row: Pick<Lifecycle, 'scheduled_at' | 'deadline_at'>,
  nowMs: number,
): DateProblem[] {
  const problems: DateProblem[] = [];
  const { scheduled_at: scheduled = null, deadline_at: deadline = null } = written;
  if (isPast(scheduled, nowMs)) problems.push({ field: 'scheduled_at', rule: 'min' });
  if (scheduled !== null && Date.parse(scheduled) > nowMs + scheduleHorizonMs) {
    problems.push({ field: 'scheduled_at', rule: 'max' });
  }
  if (isPast(deadline, nowMs)) problems.push({ field: 'deadline_at', rule: 'min' });
  if (problems.length > 0 || (scheduled === null && deadline === null)) return problems;

  const launchAt = written.scheduled_at === undefined ? row.scheduled_at : scheduled;
  const expireAt = written.deadline_at === undefined ? row.deadline_at : deadline;
  if (launchAt === null || expireAt === null || Date.parse(expireAt) > Date.parse(launchAt)) {
    return [];
  }
  return [{ field: deadline === null ? 'scheduled_at' : 'deadline_at', rule: 'date_order' }];
}

/** Fields that may change while the template is locked. */
const operationalFields: readonly string[] = [
  'name',
  'description',
  'deadline_at',
  'send_rate_per_minute',
];

/** The changed fields that the lock forbids to change. */
export function lockedFields(row: Lifecycle, changed: readonly string[]): string[] {
  return row.is_locked ? changed.filter((field) => !operationalFields.includes(field)) : [];
}

/** The holdout share is part of the experiment: it is fixed once sending has begun. */
export function mayChangeHoldout(status: TemplateStatus): boolean {
  return status === 'draft' || status === 'scheduled';
}

export interface TemplateParts {
  entry: string;
  target_cohort_ids: readonly string[];
  objective_ids: readonly string[];
  page_ids: readonly string[];
  messages: readonly {
    id: string;
    channel: string;
    purpose: string;
    from_email: string | null;
    list_unsubscribe: boolean;
  }[];
}

/** Parts that a template lacks before it can launch, in the form of `meta.missing`. */
export function missingParts(parts: TemplateParts): string[] {
  const { entry, target_cohort_ids, objective_ids, page_ids, messages } = parts;
  const missing: string[] = [];
  if (page_ids.length === 0 && messages.length === 0) missing.push('page_or_message');
  if (objective_ids.length === 0) missing.push('objective');
  if (entry !== 'manual' && target_cohort_ids.length === 0) missing.push('target_cohort');
  for (const { id, channel, purpose, from_email, list_unsubscribe } of messages) {
    if (channel !== 'email' || purpose !== 'marketing') continue;
    if (from_email === null) missing.push(`messages/${id}/from_email`);
    if (!list_unsubscribe) missing.push(`messages/${id}/list_unsubscribe`);
  }
  return missing;
}

/** Whether two lists hold the same ids, each once: then the one is a new order of the other. */
export function isPermutation(ids: readonly string[], of: readonly string[]): boolean {
  const known = new Set(of);
  return (
    ids.length === known.size &&
    new Set(ids).size === ids.length &&
    ids.every((id) => known.has(id))
  );
}
