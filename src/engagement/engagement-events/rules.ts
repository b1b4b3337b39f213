import type { Problem } from '../../platform/http/errors.ts';
import type { CustomEventName } from '../custom-event-types/custom-event-type.ts';
import type { EngagementKind, ReportedEvent } from './engagement-event.ts';

/** Retention of events; older events are not accepted. */
const retentionMonths = 25;
const clockToleranceMs = 5 * 60_000;
const maxPropertiesBytes = 8_192;

// Reports of providers about a message on its way, and events of the service, are nobody's doing.
const doneByNobody: ReadonlySet<string> = new Set<EngagementKind>([
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.delayed',
  'message.bounced',
  'message.failed',
  'device.invalidated',
  'journey.enrolled',
  'journey.started',
  'journey.completed',
  'journey.exited',
  'journey.expired',
  'objective.completed',
  'objective.voided',
  'account.opened',
  'account.closed',
]);

/**
 * Whether the event shows that its contact is there: it moves `last_engaged_at`. Custom events come
 * from systems of the partner.
 */
export function isEngagement({ kind, is_machine }: { kind: string; is_machine: boolean }): boolean {
  return !is_machine && !doneByNobody.has(kind) && !isCustomKind(kind);
}

const machineAgents =
  /bot\b|crawl|spider|scan|preview|curl|wget|python|java\/|headless|barracuda|mimecast|proofpoint/i;

/**
 * Whether a user agent is one of a scanner, or of a proxy that fetches ahead of any person. The image
 * proxies of Gmail and Yahoo are not: they fetch when a person opens the message.
 */
export function isMachineAgent(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return false;
  // Mail clients with privacy proxies send exactly this value; browsers do not.
  return userAgent === 'Mozilla/5.0' || machineAgents.test(userAgent);
}

/** Whether the kind is the name of a custom event type. */
export function isCustomKind(kind: string): kind is CustomEventName {
  return kind.startsWith('custom.');
}

/** The earliest time within the retention of events, in ms. */
export function earliestKeptMs(nowMs: number): number {
  const at = new Date(nowMs);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() - retentionMonths);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, lastDay));
  return at.getTime();
}

/** Problems of a reported event. */
export function reportProblems(event: ReportedEvent, nowMs: number): Problem[] {
  return [
    ...timeProblems(event.occurred_at, nowMs),
    ...sizeProblems('properties', event.properties),
  ];
}

/** Problems of the time of an event. */
export function timeProblems(occurredAt: string | null | undefined, nowMs: number): Problem[] {
  const at = occurredAt ? Date.parse(occurredAt.toUpperCase()) : nowMs;
  if (at > nowMs + clockToleranceMs) {
    return [problem('occurred_at', 'max', 'occurred_at lies more than five minutes ahead.')];
  }
  if (at >= earliestKeptMs(nowMs)) return [];
  const detail = `occurred_at lies more than ${String(retentionMonths)} months back.`;
  return [problem('occurred_at', 'min', detail)];
}

/** The problem of a field with too much JSON. */
export function sizeProblems(field: string, value: object | null | undefined): Problem[] {
  const json = JSON.stringify(value ?? {});
  if (new TextEncoder().encode(json).length <= maxPropertiesBytes) return [];
  const detail = `${field} may have at most ${String(maxPropertiesBytes)} bytes of JSON.`;
  return [problem(field, 'max_length', detail)];
}

/** Number of objects and lists in a value. */
export function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + countObjects(one), 1);
}

function problem(field: string, rule: string, detail: string): Problem {
  return { code: 'validation_failed', detail, meta: { pointer: `/${field}`, rule } };
}
