import type { Problem } from '../../platform/http/errors.ts';
import type { EngagementKind, ReportedEvent } from './engagement-event.ts';

/** Retention of events; older events are not accepted. */
const retentionMonths = 25;
const clockToleranceMs = 5 * 60_000;
const maxPropertiesBytes = 8_192;

// Reports of providers about a message on its way, and events of the service, are nobody's doing.
const doneByNobody: ReadonlySet<EngagementKind> = new Set<EngagementKind>([
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

/** Whether the event shows that its contact is there: it moves `last_engaged_at`. */
export function isEngagement(event: { kind: EngagementKind; is_machine: boolean }): boolean {
  return !event.is_machine && !doneByNobody.has(event.kind);
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
  const problems: Problem[] = [];
  const report = (field: string, rule: string, detail: string) =>
    problems.push({
      code: 'validation_failed',
      detail,
      meta: { pointer: `/${field}`, rule },
    });
  const at = event.occurred_at ? Date.parse(event.occurred_at.toUpperCase()) : nowMs;
  if (at > nowMs + clockToleranceMs) {
    report('occurred_at', 'max', 'occurred_at lies more than five minutes ahead.');
  }
  if (at < earliestKeptMs(nowMs)) {
    report(
      'occurred_at',
      'min',
      `occurred_at lies more than ${String(retentionMonths)} months back.`,
    );
  }
  const properties = JSON.stringify(event.properties ?? {});
  if (new TextEncoder().encode(properties).length > maxPropertiesBytes) {
    report(
      'properties',
      'max_length',
      `properties are longer than ${String(maxPropertiesBytes)} bytes of JSON.`,
    );
  }
  return problems;
}
