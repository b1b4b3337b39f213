import type { Span } from '../../platform/observability/span.ts';
import { continueTrace } from '../../platform/observability/tracing.ts';
import { callersWorkflow } from '../../platform/temporal/trace-activities.ts';
import type { DueDelivery, Settlement } from './queries.ts';

/**
 * The span of an attempt, in the trace of the request that caused the event. Healthy deliveries have
 * no workflow of their own, so that it names that of their lane.
 */
export function startAttemptSpan(delivery: DueDelivery, isProbe: boolean): Span | undefined {
  return continueTrace('webhook attempt', delivery.traceparent, () => ({
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'onward.webhook.subscription_id': delivery.subscription_id,
      'onward.webhook.delivery_id': delivery.id,
      'onward.webhook.event_id': delivery.event_id,
      'onward.webhook.event_type': delivery.event_type,
      'onward.webhook.attempt': delivery.attempt_count + 1,
      ...(delivery.trigger !== 'event' && { 'onward.webhook.trigger': delivery.trigger }),
      ...(isProbe && { 'onward.webhook.is_probe': true }),
      ...callersWorkflow(),
    },
  }));
}

export function endAttemptSpan(span: Span, { http_status, error_code }: Settlement): void {
  span.set({ 'http.response.status_code': http_status ?? undefined });
  span.end(error_code ?? undefined);
}
