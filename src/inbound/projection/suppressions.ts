import type { Sql } from '../../platform/database/sql.ts';
import { liftSoftBounces, suppress } from '../../contacts/suppressions/suppress.ts';
import { momentOf } from './concern.ts';
import type { Concern } from './concern.ts';
import { clearSoftBounces, recordSoftBounce } from './queries.ts';
import { addressOf, bareAddress, recipientsIn } from './recipients.ts';

/** Soft bounces within a fortnight that suppress an address. */
const softBounces = 3;

/** Suppresses and restores addresses by reports. Gives whether each event had such an effect. */
export async function changeSuppressions(
  sql: Sql,
  concerns: readonly Concern[],
): Promise<Map<string, boolean>> {
  const restored = await restoreAddresses(sql, concerns);
  const suppressing = new Set<string>();
  for (const concern of concerns) {
    if (await suppressAddresses(sql, concern)) suppressing.add(concern.deliveryId);
  }
  // A delivery may come together with bounces before it.
  const again = suppressing.size > 0 ? await restoreAddresses(sql, concerns) : new Set<string>();
  return new Map(
    concerns.map(({ deliveryId: id }) => [
      id,
      suppressing.has(id) || restored.has(id) || again.has(id),
    ]),
  );
}

/**
 * Hard bounces and complaints suppress an address, soft bounces of its mailbox when they come thrice
 * without a delivery in between.
 */
async function suppressAddresses(sql: Sql, concern: Concern): Promise<boolean> {
  const { projection, teamId, deliveryId } = concern;
  if (projection.channel !== 'email') return false;
  let isDone = false;
  for (const { address: named, suppression: reason } of recipientsIn(projection)) {
    if (reason === undefined) continue;
    const address = await addressOf(sql, concern, named);
    if (address === undefined) continue;
    isDone = true;
    if (reason === 'soft_bounces') {
      const at = momentOf(concern);
      if ((await recordSoftBounce(sql, teamId, address, deliveryId, at)) < softBounces) continue;
    }
    await suppress(sql, teamId, {
      channel: 'email',
      address,
      contact_id: null,
      reason,
      note: null,
      source: 'inbound',
    });
  }
  return isDone;
}

/**
 * Deliveries end the count of the soft bounces before them, and a suppression that came of those.
 * Gives the events for which there was something to end.
 */
async function restoreAddresses(sql: Sql, concerns: readonly Concern[]): Promise<Set<string>> {
  const delivered = concerns.flatMap((concern) =>
    concern.projection.channel === 'email' && concern.projection.kind === 'message.delivered'
      ? recipientsIn(concern.projection).flatMap(({ address: named }) => {
          const address = bareAddress(named ?? '');
          if (address === undefined) return [];
          return [{ deliveryId: concern.deliveryId, address, at: momentOf(concern) }];
        })
      : [],
  );
  const [first] = concerns;
  if (!first || delivered.length === 0) return new Set();
  const cleared = new Set(await clearSoftBounces(sql, first.teamId, delivered));
  for (const address of cleared) await liftSoftBounces(sql, first.teamId, address);
  return new Set(
    delivered.flatMap(({ deliveryId, address }) => (cleared.has(address) ? [deliveryId] : [])),
  );
}
