import type { WebhookConfig } from '../../platform/config.ts';
import type { EgressResult } from '../../platform/egress/client.ts';
import { parseRetryAfter } from '../../platform/egress/retry-after.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { errorCodeOf, isSuccess, classifyFailure, nextAttemptAt } from '../retries/rules.ts';
import type { AttemptOutcome } from './outcomes/queries.ts';
import type { DueDelivery } from './queries.ts';

/** An attempt that was made. */
export interface MadeAttempt {
  url: string;
  /** Epoch milliseconds. */
  startedAt: number;
  isProbe: boolean;
}

/** Retry schedule of deliveries, and their age limit. */
export type RetrySettings = Pick<WebhookConfig, 'retryScheduleMs' | 'jitter' | 'maxAgeMs'>;

/** The new state of a delivery after an attempt, and the line of the attempt log. */
export function outcomeOf(
  delivery: DueDelivery,
  result: EgressResult,
  made: MadeAttempt,
  policy: RetrySettings,
): AttemptOutcome {
  const seen = seenOf(delivery, result, made);
  if (result.kind === 'answered' && isSuccess(result.status)) {
    return { ...seen, status: 'delivered' };
  }
  const errorCode = result.kind === 'answered' ? errorCodeOf(result.status) : result.code;
  const failed = { ...seen, error_code: errorCode };
  if (delivery.trigger === 'test') return { ...failed, status: 'failed' };
  if (classifyFailure(errorCode) !== 'retry') return { ...failed, status: 'failed' };
  if (made.isProbe) {
    // A failed probe advances no schedule: the delivery waits as before (ADR 34).
    return {
      ...failed,
      status: 'retrying',
      trigger: 'probe',
      uses_step: false,
      next_attempt_at: toTimestamp(made.startedAt),
    };
  }
  // A fault of our own egress proxy is not charged to the receiver; the age limit ends it.
  const usesStep = errorCode !== 'proxy_error';
  const next = nextAfter(delivery, result, endedAt(result, made), { policy, usesStep });
  if (next === undefined) return { ...failed, status: 'failed' };
  return {
    ...failed,
    status: 'retrying',
    uses_step: usesStep,
    next_attempt_at: toTimestamp(next),
  };
}

/** The line of the attempt log. */
function seenOf(delivery: DueDelivery, result: EgressResult, made: MadeAttempt) {
  const isAnswered = result.kind === 'answered';
  return {
    day: delivery.day,
    id: delivery.id,
    renewed_at: delivery.renewed_at,
    trigger: triggerOf(delivery),
    url: made.url,
    remote_ip: result.remoteIp ?? null,
    requested_at: toTimestamp(made.startedAt),
    responded_at: isAnswered ? toTimestamp(endedAt(result, made)) : null,
    duration_ms: Math.round(result.durationMs),
    http_status: isAnswered ? result.status : null,
    response_headers: isAnswered ? result.headers : null,
    response_body: isAnswered ? result.bodyExcerpt : null,
    response_truncated: isAnswered && result.truncated,
    error_code: isAnswered ? null : result.code,
    error_detail: isAnswered ? null : result.detail,
    next_attempt_at: null,
    uses_step: true,
  };
}

/** When the next attempt is due; undefined when the schedule or the age limit ends the delivery. */
function nextAfter(
  delivery: DueDelivery,
  result: EgressResult,
  atMs: number,
  { policy, usesStep }: { policy: RetrySettings; usesStep: boolean },
): number | undefined {
  const retryAfter = result.kind === 'answered' ? result.headers['retry-after'] : undefined;
  const next = nextAttemptAt(
    { scheduleMs: policy.retryScheduleMs, jitter: policy.jitter },
    usesStep ? delivery.schedule_step + 1 : Math.max(1, delivery.schedule_step),
    atMs,
    parseRetryAfter(retryAfter, atMs),
    Math.random(),
  );
  const expiresAt = Date.parse(delivery.renewed_at) + policy.maxAgeMs;
  return next === undefined || next >= expiresAt ? undefined : next;
}

function endedAt(result: EgressResult, { startedAt }: MadeAttempt): number {
  return startedAt + Math.round(result.durationMs);
}

/** Trigger of the attempt: that of the delivery for the first attempt, then the schedule. */
function triggerOf({ trigger, schedule_step }: DueDelivery): string {
  return trigger === 'test' || (trigger !== 'event' && schedule_step === 0) ? trigger : 'scheduled';
}
