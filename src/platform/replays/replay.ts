import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Count, Id, OneOf, Text, Timestamp } from '../schema/fields.ts';
import { defaultRate, highestRate, replayStatuses } from './rules.ts';

/** Descriptions of the counts of a kind of replay. */
interface Words {
  replayed: string;
  succeeded: string;
  failed: string;
  skipped: string;
}

/** Fields of every kind of replay, except those that select the deliveries. */
export function replayFields({ replayed, succeeded, failed, skipped }: Words) {
  return {
    status: OneOf(
      replayStatuses,
      'failed: an internal error occurred repeatedly; what was replayed before stays so',
    ),
    dry_run: Type.Boolean({
      description: 'Nothing was replayed: the counts show what a replay would do',
    }),
    matched: Count('Deliveries that were requested'),
    replayed: Count(replayed),
    succeeded: Count(succeeded),
    failed: Count(failed),
    skipped: Count(skipped),
    since: Type.Optional(Timestamp('Start of the window, inclusive')),
    until: Type.Optional(Timestamp('End of the window, exclusive')),
    rate_per_second: Type.Integer({ minimum: 1, maximum: highestRate }),
    inserted_at: Timestamp(),
    started_at: Type.Optional(Timestamp()),
    finished_at: Type.Optional(Timestamp()),
  };
}

/** The id in the response to a replay request. */
export const AskedId = Type.Optional(Id('Absent in a dry run, which is not stored'));

/** Fields of a replay request; `of` names the time of a delivery that the window applies to. */
export function replayRequest<Status extends TSchema>(
  status: Status,
  statuses: number,
  of: string,
) {
  return {
    delivery_ids: Type.Optional(
      Type.Array(Id(), { minItems: 1, maxItems: 1_000, uniqueItems: true }),
    ),
    filter: Type.Optional(
      Type.Object(
        {
          since: Type.Optional(Timestamp(`Inclusive, by ${of}; 30 days before the end if absent`)),
          until: Type.Optional(Timestamp('Exclusive; now if absent or later')),
          status: Type.Optional(
            Type.Array(status, { minItems: 1, maxItems: statuses, uniqueItems: true }),
          ),
          event_type: Type.Optional(
            Type.Array(Text(255), { minItems: 1, maxItems: 100, uniqueItems: true }),
          ),
        },
        { additionalProperties: false, description: 'Deliveries of a window of 30 days at most' },
      ),
    ),
    rate_per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: highestRate,
        default: defaultRate,
        description: 'Deliveries a second, on average over some seconds',
      }),
    ),
  };
}

export const DryRun = Type.Optional(
  Type.Boolean({ default: false, description: 'Only say what would be replayed' }),
);
