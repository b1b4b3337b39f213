import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { EngagementItem } from '../../engagement/engagement-events/engagement-event.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { resolveReferences } from '../../engagement/engagement-events/references.ts';
import { reportProblems } from '../../engagement/engagement-events/rules.ts';
import { operation } from '../operation-type.ts';

export const engagementEventsRecord = operation({
  kind: 'engagement_events.record',
  category: 'events',
  summary: 'Record an engagement event of a recipient',
  notes: 'Repeats of a unique_id within its kind give the first event.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 500,
  executionMode: 'sync',
  scopes: ['partner:engagement:write'],
  rateLimitClass: 'bulk',
  audit: { none: 'contact_data' },
  input: EngagementItem,
  output: Type.Object({ id: Id('The event, or the earlier one with its unique_id') }),
  async apply({ sql, teamId, source }, items) {
    const nowMs = Date.now();
    const resolved = await resolveReferences(sql, teamId, items, {
      now: new Date(nowMs).toISOString(),
      source: source === 'ipaas' ? 'api' : 'batch',
    });
    const checked = resolved.map(({ event, problems }, at) => {
      const item = items[at];
      return { event, errors: [...(item ? reportProblems(item, nowMs) : []), ...problems] };
    });
    const good = checked.flatMap(({ event, errors }) => (errors.length > 0 ? [] : [event]));
    const recorded = await recordEngagement(sql, teamId, good);
    let next = 0;
    return checked.map(({ errors }) => {
      const done = errors.length > 0 ? undefined : recorded[next++];
      if (!done) return { status: 'failed' as const, errors };
      return {
        status: done.status === 'created' ? ('created' as const) : ('unchanged' as const),
        resource_type: 'engagement_event',
        resource_id: done.id,
        output: { id: done.id },
      };
    });
  },
});
