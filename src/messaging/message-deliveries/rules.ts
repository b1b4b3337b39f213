/** Rules of the delivery of a message, without I/O or clock, for engine and receivers. */

export const deliveryStatuses = [
  'scheduled',
  'queued',
  'sent',
  'delayed',
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'skipped',
  'canceled',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Order of the statuses; those that end before sending are outside of it. */
const rank: Readonly<Record<DeliveryStatus, number>> = {
  scheduled: 0,
  queued: 1,
  sent: 2,
  delayed: 3,
  delivered: 4,
  bounced: 5,
  failed: 5,
  suppressed: 6,
  skipped: 6,
  canceled: 6,
};

const isBeforeSending = (status: DeliveryStatus) => rank[status] < rank.sent;
const endsUnsent = (status: DeliveryStatus) => rank[status] > rank.failed;

/**
 * The status after a report. It never moves down: providers report late, twice and out of order.
 * The first of two reports of the same rank wins, and an unsent message stays unsent.
 */
export function statusAfter(current: DeliveryStatus, reported: DeliveryStatus): DeliveryStatus {
  if (endsUnsent(reported)) return isBeforeSending(current) ? reported : current;
  return rank[reported] > rank[current] ? reported : current;
}

/** Whether its sending can still be prevented. */
export const mayCancel = isBeforeSending;

/** Report of a provider about a delivery. */
export interface Report {
  kind: string;
  /** RFC 3339. */
  at: string;
  isMachine: boolean;
  bounce?: Bounce | undefined;
  /** It may be an answer to the message: one that was delivered stays so. */
  keepsDelivered?: boolean | undefined;
}
export interface Bounce {
  class: 'hard' | 'soft';
  code?: string;
  diagnostic?: string;
}

export interface Reported {
  status?: DeliveryStatus;
  bounce?: Bounce;
  sent_at?: string;
  delivered_at?: string;
  failed_at?: string;
  first_opened_at?: string;
  first_clicked_at?: string;
  unsubscribed_at?: string;
  complained_at?: string;
  open_count?: number;
  click_count?: number;
  machine_open_count?: number;
}

const reportedStatuses: Readonly<Record<string, DeliveryStatus>> = {
  'message.queued': 'queued',
  'message.sent': 'sent',
  'message.delayed': 'delayed',
  'message.delivered': 'delivered',
  'message.bounced': 'bounced',
  'message.failed': 'failed',
};

type Counted = Stamps & { open_count: number; click_count: number; machine_open_count: number };

/**
 * Returns the changes by a report. Opens and clicks are counted and do not change the status; those
 * of machines are counted separately. Each timestamp is that of the earliest report.
 */
export function afterReport(row: Counted, report: Report): Reported {
  const { kind, at, isMachine, bounce, keepsDelivered = false } = report;
  const first = (known: string | null) =>
    known === null || Date.parse(at) < Date.parse(known) ? at : known;
  switch (kind) {
    case 'message.opened':
      return isMachine
        ? { machine_open_count: row.machine_open_count + 1 }
        : { open_count: row.open_count + 1, first_opened_at: first(row.first_opened_at) };
    case 'message.clicked':
      if (isMachine) return {};
      return { click_count: row.click_count + 1, first_clicked_at: first(row.first_clicked_at) };
    case 'message.unsubscribed':
      return { unsubscribed_at: first(row.unsubscribed_at) };
    case 'message.complained':
      return { complained_at: first(row.complained_at) };
    default:
      break;
  }
  const reported = reportedStatuses[kind];
  if (reported === undefined || (keepsDelivered && row.status === 'delivered')) return {};
  const status = statusAfter(row.status, reported);
  const moves = status !== row.status;
  return {
    ...(moves && { status }),
    ...(reported === 'sent' && { sent_at: first(row.sent_at) }),
    ...(reported === 'delivered' && { delivered_at: first(row.delivered_at) }),
    ...((reported === 'failed' || reported === 'bounced') && moves && { failed_at: at }),
    ...(bounce && moves && { bounce }),
  };
}

/** Whether a report that changed a delivery is published: changes of status, and acts of people. */
export function isPublished(
  before: Counted,
  { kind, isMachine }: Report,
  change: Reported,
): boolean {
  if (kind === 'message.opened' || kind === 'message.clicked') return !isMachine;
  if (kind === 'message.unsubscribed') return before.unsubscribed_at === null;
  if (kind === 'message.complained') return before.complained_at === null;
  return change.status !== undefined && kind !== 'message.queued';
}

export const skipReasons = [
  'no_consent',
  'topic_unsubscribed',
  'suppressed',
  'missing_address',
  'quiet_hours_expired',
  'frequency_cap',
  'holdout',
  'condition_false',
  'objective_completed',
  'template_paused_stale',
  'deadline_passed',
  'sender_not_verified',
] as const;
export type SkipReason = (typeof skipReasons)[number];

const skipped: Readonly<Record<SkipReason, string>> = {
  no_consent: 'the contact has not consented to this channel',
  topic_unsubscribed: 'the contact is not subscribed to the topic of the message',
  suppressed: 'the address or number is suppressed',
  missing_address: 'the contact has no address, number or device for this channel',
  quiet_hours_expired: 'it was too old when the quiet hours of the contact ended',
  frequency_cap: 'the contact had got as many messages as the team allows',
  holdout: 'the contact is held back for comparison',
  condition_false: 'the condition of the message did not hold',
  objective_completed: 'the contact had completed the objectives',
  template_paused_stale: 'the template was paused for too long',
  deadline_passed: 'the deadline of the template had passed',
  sender_not_verified: 'the domain of the sender was not verified',
};

const statusTexts: Readonly<Record<DeliveryStatus, string>> = {
  scheduled: 'It waits for its time.',
  queued: 'It waits to be sent.',
  sent: 'The provider has taken it; nothing more is known yet.',
  delayed: 'The provider tries again.',
  delivered: 'It was delivered.',
  bounced: 'It came back.',
  failed: 'It could not be sent.',
  suppressed: 'It was not sent: the provider or the team suppresses the address.',
  skipped: 'It was not sent.',
  canceled: 'It was canceled before it was sent.',
};

interface Stamps {
  status: DeliveryStatus;
  skip_reason: SkipReason | null;
  inserted_at: string;
  scheduled_at: string | null;
  sent_at: string | null;
  delivered_at: string | null;
  first_opened_at: string | null;
  first_clicked_at: string | null;
  failed_at: string | null;
  unsubscribed_at: string | null;
  complained_at: string | null;
}

/** Why a delivery is where it is, and what happened to it, the oldest first. */
export function explain(delivery: Stamps) {
  const { status, skip_reason } = delivery;
  const summary =
    skip_reason === null ? statusTexts[status] : `It was not sent: ${skipped[skip_reason]}.`;
  const stamps: readonly [string, string | null][] = [
    ['created', delivery.inserted_at],
    ['scheduled_for', delivery.scheduled_at],
    ['sent', delivery.sent_at],
    ['delivered', delivery.delivered_at],
    ['opened', delivery.first_opened_at],
    ['clicked', delivery.first_clicked_at],
    ['failed', delivery.failed_at],
    ['unsubscribed', delivery.unsubscribed_at],
    ['complained', delivery.complained_at],
  ];
  const timeline = stamps
    .flatMap(([what, at]) => (at === null ? [] : [{ what, at }]))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return { summary, timeline };
}
