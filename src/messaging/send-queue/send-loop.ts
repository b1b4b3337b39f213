import type { RowLoop } from '../../platform/batching/isolate.ts';
import { withSavepoint } from '../../platform/database/savepoint.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { deleteSends, putBackSends } from './queries.ts';
import type { ClaimedSend } from './queries.ts';
import { withDeliveryOutcome } from './send-outcomes.ts';
import { recordSendOutcomes } from './record-outcomes.ts';
import type { SendOutcome } from './record-outcomes.ts';

const putBack = (sql: Sql, { team_id, id }: Pick<SendOutcome, 'team_id' | 'id'>, until: string) =>
  putBackSends(sql, [{ team_id, id, at: until, is_attempt: false, is_passed: false }]);

/**
 * A send whose outcome cannot be stored fails. Where not even that can
 * be stored it leaves the queue: it may have reached its recipient.
 */
export const sendLoop: RowLoop<SendOutcome> = {
  name: 'sends',
  isFinalAtOnce: true,
  keyOf: ({ team_id, id }) => ({ team_id, id }),
  async fail(sql, { team_id, id, delivery, putBack: later }) {
    if (later) throw new Error('a send that was not attempted stays in the queue');
    const failed = delivery && {
      ...delivery,
      ...{ status: 'failed' as const, skip_reason: null, code: 'outcome_not_stored' },
    };
    const stored = await withSavepoint(sql, () =>
      recordSendOutcomes(sql, [{ team_id, id, ...(failed && { delivery: failed }) }]),
    );
    if (!stored.done) await deleteSends(sql, team_id, [id]);
  },
  putBack,
};

/** A message that cannot be prepared fails, and the others of its claim are sent. */
export const sendPreparation = (nowMs: number): RowLoop<ClaimedSend> => ({
  name: 'send-preparation',
  keyOf: ({ team_id, id }) => ({ team_id, id }),
  fail: (sql, send) =>
    recordSendOutcomes(sql, [
      withDeliveryOutcome(send, { status: 'failed', code: 'preparation_failed' }, nowMs),
    ]),
  putBack,
});
