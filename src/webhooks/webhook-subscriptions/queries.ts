import type { Static } from 'typebox';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { deprecatedAmong } from '../deprecations/notices.ts';
import { stillHeld, thinEventTypes } from '../read-scopes.ts';
import type { SubscriptionRights } from '../read-scopes.ts';
import { entitledOf } from '../../platform/database/entitled.ts';
import { groupBy } from '../../platform/group-by.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import { keyOf, newSigningSecret, secretSealContext } from './secrets.ts';
import type { WebhookSubscription } from './webhook-subscription.ts';

type Shown = Static<typeof WebhookSubscription>;
type Nullable<T> = { [Key in keyof T]-?: undefined extends T[Key] ? T[Key] | null : T[Key] };

export type SubscriptionRow = Nullable<Shown> &
  SubscriptionRights & {
    lock_version: number;
    shard: number;
    /** Client of that token; null for a row from before it was remembered. */
    set_by_client_id: string | null;
  };

/** A row before its event types are described. */
export type StoredSubscription = Omit<
  SubscriptionRow,
  'thin_event_types' | 'deprecated_event_types'
>;

/** The row with the event types that are sent thin, and with those that are deprecated. */
export function describeEvents<
  Row extends SubscriptionRights & Pick<StoredSubscription, 'event_types'>,
>(row: Row) {
  const { event_types } = row;
  return {
    ...row,
    thin_event_types: thinEventTypes(event_types, stillHeld(row)),
    deprecated_event_types: deprecatedAmong(event_types).map(
      ({ target, replacement, sunset_at, reason }) => ({
        event_type: target.event_type ?? '',
        sunset_at,
        reason,
        ...(replacement?.event_type !== undefined && { replacement: replacement.event_type }),
      }),
    ),
  };
}

const columns = `t.id, 'webhook_subscription' as type, t.team_id, t.name, t.description, t.target_url,
  t.event_types, t.is_active, t.is_disabled_for_failures, t.shard, t.read_scopes, t.set_by_client_id,
  ${entitledOf('t', 'set_by_client_id')} as entitled, t.lock_version,
  t.inserted_at, t.updated_at, s.consecutive_permanent_failures, s.last_delivered_at`;
const tables = `webhook_subscriptions t
  join webhook_subscription_states s on s.team_id = t.team_id and s.subscription_id = t.id`;

export function subscriptionSource(teamId: string): ListSource {
  return {
    from: tables,
    select: columns,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
  };
}

export async function findSubscription(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<StoredSubscription[]>`
    select ${sql.unsafe(columns)} from ${sql.unsafe(tables)}
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row && describeEvents(row);
}

export async function requireSubscription(sql: Sql, teamId: string, id: string) {
  const row = await findSubscription(sql, teamId, id);
  if (!row) throw noSubscription();
  return row;
}

/** Throws 409 while the subscription accepts no deliveries. */
export function checkOn({ is_active, is_disabled_for_failures }: SubscriptionRow): void {
  if (is_disabled_for_failures) {
    throw fail('subscription_disabled', { detail: 'The subscription is disabled.' });
  }
  if (!is_active) {
    throw fail('subscription_inactive', { detail: 'The subscription is inactive.' });
  }
}

/** Locks the subscription but not its state, so that deliveries can be recorded meanwhile. */
export async function lockSubscription(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<StoredSubscription[]>`
    select ${sql.unsafe(columns)} from ${sql.unsafe(tables)}
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update of t`;
  if (!row) throw noSubscription();
  return describeEvents(row);
}

function noSubscription() {
  return fail('not_found', {
    detail: 'No such webhook subscription.',
    meta: { resource: 'webhook_subscription' },
  });
}

export interface SubscriptionFields {
  name: string | null;
  description: string | null;
  target_url: string;
  event_types: string[];
  is_active: boolean;
  read_scopes: string[];
  set_by_client_id: string | null;
}

export async function insertSubscription(
  sql: Sql,
  teamId: string,
  fields: SubscriptionFields,
): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    insert into webhook_subscriptions ${sql({ team_id: teamId, ...fields })}
    returning id`;
  await sql`
    insert into webhook_subscription_states (team_id, subscription_id) values (${teamId}, ${row.id})`;
  return row.id;
}

export async function updateSubscription(
  sql: Sql,
  teamId: string,
  id: string,
  changes: Partial<SubscriptionFields> & { is_disabled_for_failures?: boolean },
): Promise<void> {
  await sql`
    update webhook_subscriptions
    set ${sql(changes)}, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

export async function deleteSubscription(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update webhook_subscriptions
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** A client enabled the subscription again: its failures are forgotten. */
export async function resetFailures(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update webhook_subscription_states
    set consecutive_permanent_failures = 0, window_tries = 0, window_failures = 0, probe_at = null,
      probe_pause_ms = null, disabled_reason = null, failing_noticed_at = null
    where team_id = ${teamId} and subscription_id = ${id}`;
}

/** Assigns all deliveries of the subscription to its recovery, which is due now. */
export async function holdForRecovery(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update webhook_subscription_states
    set owned_by_recovery = true, recovery_due_at = now(),
      failing_since = coalesce(failing_since, now())
    where team_id = ${teamId} and subscription_id = ${id}`;
}

/** Makes the probe of an open breaker due now, since the address may be valid again. */
export async function probeNow(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const rows = await sql`
    update webhook_subscription_states
    set probe_at = now(), probe_pause_ms = null, retry_all_after_probe = true, recovery_due_at = now()
    where team_id = ${teamId} and subscription_id = ${id} and owned_by_recovery
    returning subscription_id`;
  return rows.length > 0;
}

export async function isHeldByRecovery(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const [row] = await sql<{ owned_by_recovery: boolean }[]>`
    select owned_by_recovery from webhook_subscription_states
    where team_id = ${teamId} and subscription_id = ${id}`;
  return row?.owned_by_recovery ?? false;
}

/** The next sequence of the events about the subscription itself. */
export async function nextEventSequence(sql: Sql, teamId: string, id: string): Promise<number> {
  const [row] = await sql<[{ event_sequence: number }]>`
    update webhook_subscription_states set event_sequence = event_sequence + 1
    where team_id = ${teamId} and subscription_id = ${id}
    returning event_sequence`;
  return row.event_sequence;
}

/** End of the overlap of the current rotation. */
export async function findRotationEnd(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<{ expires_at: string }[]>`
    select expires_at from webhook_secrets
    where team_id = ${teamId} and subscription_id = ${id} and expires_at > now()
    order by expires_at desc limit 1`;
  return row?.expires_at;
}

/**
 * Creates a new signing secret. The previous one signs too until the overlap ends; older ones end
 * immediately. Returns the secret, which cannot be read again.
 */
export async function insertSecret(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  subscriptionId: string,
  overlapSeconds: number,
): Promise<string> {
  const secret = newSigningSecret();
  await sql`
    delete from webhook_secrets
    where team_id = ${teamId} and subscription_id = ${subscriptionId} and expires_at is not null`;
  await sql`
    update webhook_secrets set expires_at = now() + make_interval(secs => ${overlapSeconds})
    where team_id = ${teamId} and subscription_id = ${subscriptionId}`;
  await sql`
    update webhook_subscriptions set lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${subscriptionId}`;
  await sql`
    insert into webhook_secrets (team_id, subscription_id, sealed_secret, hint)
    values (${teamId}, ${subscriptionId},
      ${keyring.seal(secret, secretSealContext(teamId, subscriptionId))}, ${secret.slice(-4)})`;
  return secret;
}

/** A subscription by its key. */
export interface SubscriptionKey {
  team_id: string;
  subscription_id: string;
}

/** A signing key with the end of its use (RFC 3339); null until it is rotated. */
export interface SigningKey {
  key: Buffer;
  expires_at: string | null;
}

/** Keys that sign now for each of some subscriptions, in their order; the newest first. */
export async function liveSigningKeys(
  sql: Sql,
  keyring: Keyring,
  subscriptions: readonly SubscriptionKey[],
): Promise<SigningKey[][]> {
  const rows = await sql<
    (SubscriptionKey & { sealed_secret: string; expires_at: string | null })[]
  >`
    select s.team_id, s.subscription_id, s.sealed_secret, s.expires_at
    from unnest(${subscriptions.map(({ team_id }) => team_id)}::uuid[],
      ${subscriptions.map(({ subscription_id }) => subscription_id)}::uuid[])
      as requested (team_id, subscription_id)
    join webhook_secrets s on s.team_id = requested.team_id
      and s.subscription_id = requested.subscription_id
      and (s.expires_at is null or s.expires_at > now())
    order by s.inserted_at desc`;
  const bySubscription = groupBy(rows, ({ subscription_id }) => subscription_id);
  return subscriptions.map(({ subscription_id }) =>
    (bySubscription.get(subscription_id) ?? []).map(({ team_id, sealed_secret, expires_at }) => ({
      key: keyOf(keyring.open(sealed_secret, secretSealContext(team_id, subscription_id))),
      expires_at,
    })),
  );
}

/** Where deliveries of a subscription go now. */
export async function findTargetUrl(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<{ target_url: string }[]>`
    select target_url from webhook_subscriptions where team_id = ${teamId} and id = ${id}`;
  return row?.target_url;
}
