import { Type } from 'typebox';
import { Count, Id, OneOf, Text, Timestamp } from '../../fields.ts';
import { inboundStatuses } from '../deliveries/inbound-delivery.ts';
import { defaultRate, highestRate, replayStatuses } from './rules.ts';

/** Deliveries of a receiver that are applied again, and how far that has got. */
export const InboundReplay = Type.Object(
  {
    id: Id(),
    type: Type.Literal('inbound_replay'),
    team_id: Id(),
    receiver_id: Id(),
    status: OneOf(
      replayStatuses,
      'failed: an error of ours kept coming back; what was replayed before stays so',
    ),
    dry_run: Type.Boolean({ description: 'Nothing was replayed: this is what would have been' }),
    matched: Count('Deliveries that were asked for'),
    replayed: Count('Applied again so far, well or not'),
    succeeded: Count('Of those, the ones that could be applied'),
    failed: Count('Of those, the ones that could not; they can be replayed again'),
    skipped: Count('Refused calls, samples, and those whose payload is no longer kept'),
    since: Type.Optional(Timestamp('Start of the window, inclusive')),
    until: Type.Optional(Timestamp('End of the window, exclusive')),
    rate_per_second: Type.Integer({ minimum: 1, maximum: highestRate }),
    inserted_at: Timestamp(),
    started_at: Type.Optional(Timestamp()),
    finished_at: Type.Optional(Timestamp()),
  },
  { title: 'inbound_replay' },
);

/** The answer to who asks for a replay. */
export const AskedInboundReplay = Type.Object(
  {
    ...InboundReplay.properties,
    id: Type.Optional(Id('Absent where it is a dry run, which is not kept')),
  },
  { title: 'asked_inbound_replay' },
);

const Filter = Type.Object(
  {
    since: Type.Optional(Timestamp('Inclusive, by received_at; 30 days before the end if absent')),
    until: Type.Optional(Timestamp('Exclusive; now if absent or later')),
    status: Type.Optional(
      Type.Array(OneOf(inboundStatuses), {
        minItems: 1,
        maxItems: inboundStatuses.length,
        uniqueItems: true,
      }),
    ),
    event_type: Type.Optional(
      Type.Array(Text(255), { minItems: 1, maxItems: 100, uniqueItems: true }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Deliveries received in a window of 30 days at most',
  },
);

/** Either ids or a filter. */
export const InboundReplayCreate = Type.Object(
  {
    delivery_ids: Type.Optional(
      Type.Array(Id(), { minItems: 1, maxItems: 1_000, uniqueItems: true }),
    ),
    filter: Type.Optional(Filter),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Only say what would be replayed' }),
    ),
    rate_per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: highestRate,
        default: defaultRate,
        description: 'Deliveries a second, on average over some seconds',
      }),
    ),
  },
  { additionalProperties: false },
);
