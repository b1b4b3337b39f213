import { Type } from 'typebox';
import { Id, OneOf } from '../../../platform/schema/fields.ts';
import { AskedId, DryRun, replayFields, replayRequest } from '../../../platform/replays/replay.ts';
import { deliveryStatuses } from '../deliveries/rules.ts';

/** Deliveries of a subscription that are started over, and how far that has got. */
export const WebhookReplay = Type.Object(
  {
    id: Id(),
    type: Type.Literal('webhook_replay'),
    team_id: Id(),
    subscription_id: Id(),
    ...replayFields({
      replayed: 'Started over so far; completed says that all of them are',
      succeeded: 'Deliveries among them that have been delivered',
      failed: 'Deliveries among them that failed permanently, were suppressed or canceled',
      skipped: 'Deliveries whose event has been deleted',
    }),
  },
  { title: 'webhook_replay' },
);

/** Response to a replay request. */
export const AskedWebhookReplay = Type.Object(
  { ...WebhookReplay.properties, id: AskedId },
  { title: 'asked_webhook_replay' },
);

/** Either ids or a filter. */
export const replayOrder = replayRequest(
  OneOf(deliveryStatuses),
  deliveryStatuses.length,
  'inserted_at',
);

export const WebhookReplayCreate = Type.Object(
  { ...replayOrder, dry_run: DryRun },
  { additionalProperties: false },
);
