import { journeyStarted } from '../events.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import type { NewDelivery } from '../../messaging/send-queue/queries.ts';
import { recordSkipped } from '../../messaging/send-queue/record-outcomes.ts';
import { publishJourneyEvents } from '../publish.ts';
import type { DueJourney } from './queries.ts';

/** Records what a round did, team by team: journeys that began, messages that are queued or skipped. */
export async function publishDecisions(
  sql: Sql,
  begun: readonly DueJourney[],
  deliveries: readonly NewDelivery[],
  occurred_at: string,
): Promise<void> {
  for (const [teamId, journeys] of groupBy(begun, ({ team_id }) => team_id)) {
    await publishJourneyEvents(sql, teamId, journeyStarted, journeys);
  }
  const queued = deliveries.filter(({ status }) => status === 'queued');
  for (const [teamId, sends] of groupBy(queued, ({ team_id }) => team_id)) {
    await recordEngagement(
      sql,
      teamId,
      sends.map(({ id, channel, message_id, template_id, journey_id, contact_id }) => ({
        kind: 'message.queued',
        channel,
        source: 'system',
        is_machine: false,
        occurred_at,
        message_id,
        template_id,
        journey_id,
        contact_id,
        message_delivery_id: id,
      })),
    );
  }
  const skipped = deliveries.filter(({ status }) => status === 'skipped');
  for (const [teamId, some] of groupBy(skipped, ({ team_id }) => team_id)) {
    const ids = some.map(({ id }) => id);
    await recordSkipped(sql, teamId, ids, occurred_at);
  }
}
