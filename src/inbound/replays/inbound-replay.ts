import { Type } from 'typebox';
import { Id, OneOf } from '../../platform/schema/fields.ts';
import { AskedId, DryRun, replayFields, replayRequest } from '../../platform/replays/replay.ts';
import { inboundStatuses } from '../deliveries/inbound-delivery.ts';

/** Deliveries of a receiver that are applied again, and how far that has got. */
export const InboundReplay = Type.Object(
  {
    id: Id(),
    type: Type.Literal('inbound_replay'),
    team_id: Id(),
    receiver_id: Id(),
    ...replayFields({
      replayed: 'Applied again so far, well or not',
      succeeded: 'Deliveries among them that could be applied',
      failed: 'Deliveries among them that could not; they can be replayed again',
      skipped: 'Rejected calls, samples, and deliveries whose payload was deleted',
    }),
  },
  { title: 'inbound_replay' },
);

/** Response to a request for a replay. */
export const AskedInboundReplay = Type.Object(
  { ...InboundReplay.properties, id: AskedId },
  { title: 'asked_inbound_replay' },
);

/** Either ids or a filter. */
export const InboundReplayCreate = Type.Object(
  {
    ...replayRequest(OneOf(inboundStatuses), inboundStatuses.length, 'received_at'),
    dry_run: DryRun,
  },
  { additionalProperties: false },
);
