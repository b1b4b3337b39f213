import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import { callbackOf, openRaw } from '../intake/callback.ts';
import { receivers } from '../receivers.ts';
import { writeGivenUp } from '../projection/queries.ts';
import { findConfirmation, writeConfirmed } from './queries.ts';
import type { ConfirmationRow } from './queries.ts';
import { topicHostNames } from '../signatures/topic-hosts.ts';
import { isConfirmable } from './rules.ts';
import { parseUrl } from '../../platform/schema/rules.ts';

interface Confirming {
  database: Database;
  keyring: Keyring;
  egress: Egress;
  log: Log;
  publicBaseUrl: string;
  retryScheduleMs: readonly number[];
}

const timeoutMs = 10_000;

/**
 * Confirms the topic of a confirmation request by calling the address in it. The receiver must have
 * the topic pinned, or be allowed to pin its first one. Returns what came of it.
 */
export async function confirmTopic(
  { database, keyring, egress, log, publicBaseUrl, retryScheduleMs }: Confirming,
  teamId: string,
  deliveryId: string,
): Promise<'applied' | 'waiting' | 'given_up'> {
  const row = await database.read((sql) => findConfirmation(sql, teamId, deliveryId));
  const url = row && mayConfirm(row) ? addressIn(row, keyring, publicBaseUrl) : undefined;
  if (!row || url === undefined) {
    await database.transact((sql) => writeGivenUp(sql, teamId, deliveryId));
    return 'given_up';
  }
  const result = await egress.get({ url, owner: row.receiver_id, headers: {}, timeoutMs });
  const isDone = result.kind === 'answered' && result.status >= 200 && result.status < 300;
  const pauseMs = isDone ? undefined : retryScheduleMs[row.attempts];
  if (!isDone) log.warn({ delivery_id: deliveryId }, 'a topic cannot be confirmed');
  await database.transact((sql) => writeConfirmed(sql, row, isDone, pauseMs));
  if (isDone) return 'applied';
  return pauseMs === undefined ? 'given_up' : 'waiting';
}

function mayConfirm({ settings, topic_arn, receiver_inserted_at }: ConfirmationRow): boolean {
  return isConfirmable(settings, topic_arn, Date.now() - Date.parse(receiver_inserted_at));
}

/** The address is a secret of the topic, so it is stored only in the sealed bytes. */
function addressIn(
  { sealed_callback, raw_id, team_id, receiver_kind, received_at, settings }: ConfirmationRow,
  keyring: Keyring,
  publicBaseUrl: string,
): string | undefined {
  if (sealed_callback === null) return undefined;
  let raw;
  try {
    raw = openRaw(keyring, sealed_callback, team_id, raw_id);
  } catch {
    // The key is missing. Other confirmations must not wait for it.
    return undefined;
  }
  const callback = callbackOf(publicBaseUrl, raw, Date.parse(received_at));
  for (const item of receivers[receiver_kind].read(callback, settings)) {
    if (!('confirmation' in item)) continue;
    const { subscribeUrl } = item.confirmation;
    const url = parseUrl(subscribeUrl);
    if (
      url?.protocol === 'https:' &&
      url.port === '' &&
      topicHostNames(url.hostname) !== undefined
    ) {
      return subscribeUrl;
    }
  }
  return undefined;
}
