import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { fail } from '../../../platform/http/errors.ts';
import type { SubscriptionKey } from '../queries.ts';
import { openSigningPair } from '../secrets.ts';
import type { SigningPair } from '../secrets.ts';
import { entitledOf } from '../../../platform/database/entitled.ts';
import { stillHeld } from '../../read-scopes.ts';
import type { Ordering } from '../../dispatch/limits/queries.ts';

export type Headers = Readonly<Record<string, string>>;

/** The settings of a subscription; of one that never had any, as they are without. */
export interface SettingsRow {
  id: string;
  type: 'webhook_delivery_settings';
  team_id: string;
  rate_limit_per_second: number | null;
  max_concurrency: number | null;
  ordering: Ordering;
  /** Null: the default of the service. */
  timeout_seconds: number | null;
  header_names: string[];
  sealed_headers: string | null;
  headers_changed_at: string | null;
  asymmetric_signing: boolean;
  public_key: string | null;
  /** Version of the subscription. */
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

/** Seal context of values: they open for no other subscription. */
export function settingsSealContext(
  column: 'sealed_headers' | 'sealed_private_key',
  teamId: string,
  subscriptionId: string,
): string[] {
  return ['webhook_delivery_settings', column, teamId, subscriptionId];
}

const columns = `t.id, 'webhook_delivery_settings' as type, t.team_id, t.lock_version,
  p.rate_limit_per_second, p.max_concurrency, coalesce(p.ordering, 'none') as ordering,
  p.timeout_seconds,
  coalesce(p.header_names, '{}') as header_names, p.sealed_headers,
  p.headers_changed_at, p.public_key is not null as asymmetric_signing, p.public_key,
  t.inserted_at, coalesce(p.updated_at, t.inserted_at) as updated_at`;
const tables = `webhook_subscriptions t
  left join webhook_delivery_settings p on p.team_id = t.team_id and p.subscription_id = t.id`;

/** Throws 404. */
export async function requireSettings(sql: Sql, teamId: string, id: string): Promise<SettingsRow> {
  const [row] = await sql<SettingsRow[]>`
    select ${sql.unsafe(columns)} from ${sql.unsafe(tables)}
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row ?? noSubscription();
}

/** Locks the subscription until the end of the transaction. Throws 404. */
export async function lockSettings(sql: Sql, teamId: string, id: string): Promise<SettingsRow> {
  const [row] = await sql<SettingsRow[]>`
    select ${sql.unsafe(columns)} from ${sql.unsafe(tables)}
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update of t`;
  return row ?? noSubscription();
}

function noSubscription(): never {
  throw fail('not_found', {
    detail: 'No such webhook subscription.',
    meta: { resource: 'webhook_subscription' },
  });
}

export interface SettingsChanges {
  rate_limit_per_second?: number | null;
  max_concurrency?: number | null;
  ordering?: Ordering;
  timeout_seconds?: number | null;
  header_names?: string[];
  sealed_headers?: string | null;
  headers_changed_at?: string;
  public_key?: string | null;
  sealed_private_key?: string | null;
}

/** Stores the changes, and makes every process reload the settings. */
export async function writeSettings(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  changes: SettingsChanges,
): Promise<void> {
  await sql`
    insert into webhook_delivery_settings ${sql({
      team_id: teamId,
      subscription_id: subscriptionId,
      ...changes,
    })}
    on conflict (team_id, subscription_id) do update set ${sql(changes)}, updated_at = now()`;
  await sql`
    update webhook_subscriptions set lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${subscriptionId}`;
}

/** Removes the further headers. The caller raises the version of the subscription. */
export async function dropHeaders(sql: Sql, teamId: string, subscriptionId: string): Promise<void> {
  await sql`
    update webhook_delivery_settings
    set header_names = '{}', sealed_headers = null, headers_changed_at = now(), updated_at = now()
    where team_id = ${teamId} and subscription_id = ${subscriptionId}
      and sealed_headers is not null`;
}

const sealedHeaders = Compile(Type.Record(Type.String(), Type.String()));

export function sealHeaders(keyring: Keyring, row: Owner, headers: Headers): string {
  return keyring.seal(
    JSON.stringify(headers),
    settingsSealContext('sealed_headers', row.team_id, row.id),
  );
}

/** The further headers, by their names in lower case. */
export function openHeaders(
  keyring: Keyring,
  row: Owner & Pick<SettingsRow, 'sealed_headers'>,
): Headers {
  if (row.sealed_headers === null) return {};
  const place = settingsSealContext('sealed_headers', row.team_id, row.id);
  return sealedHeaders.Parse(JSON.parse(keyring.open(row.sealed_headers, place)));
}

type Owner = Pick<SettingsRow, 'team_id' | 'id'>;

/** Seals the private half for storage. */
export function sealPrivateKey(keyring: Keyring, row: Owner, { privateKey }: SigningPair): string {
  return keyring.seal(privateKey, settingsSealContext('sealed_private_key', row.team_id, row.id));
}

/**
 * The settings of the calls of one subscription, apart from its secrets. One statement reads all of
 * them, so that headers and data meant for one address never reach another.
 */
export interface CallSettings {
  targetUrl: string;
  /** Read scopes that the client gave which last set the address or types, as far as it has them. */
  readScopes: ReadonlySet<string>;
  /** That client; null for a subscription from before it was remembered. */
  clientId: string | null;
  headers: Headers;
  /** Undefined: the default of the service. */
  timeoutSeconds: number | undefined;
  privateKey: KeyObject | undefined;
}

interface CallSettingsRow extends Owner {
  target_url: string;
  read_scopes: string[];
  set_by_client_id: string | null;
  entitled: string[] | null;
  timeout_seconds: number | null;
  sealed_headers: string | null;
  sealed_private_key: string | null;
}

/** The settings that calls of subscriptions are made with, opened, in their order. */
export async function openCallSettings(
  sql: Sql,
  keyring: Keyring,
  subscriptions: readonly SubscriptionKey[],
): Promise<CallSettings[]> {
  const rows = await sql<CallSettingsRow[]>`
    select found.*
    from unnest(${subscriptions.map(({ team_id }) => team_id)}::uuid[],
      ${subscriptions.map(({ subscription_id }) => subscription_id)}::uuid[])
      as requested (team_id, id)
    -- With a limit each is looked up by its key.
    cross join lateral (
      select t.team_id, t.id, t.target_url, t.read_scopes, t.set_by_client_id,
        ${sql.unsafe(entitledOf('t', 'set_by_client_id'))} as entitled,
        p.timeout_seconds, p.sealed_headers, p.sealed_private_key
      from ${sql.unsafe(tables)}
      where t.team_id = requested.team_id and t.id = requested.id
      limit 1
    ) found`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return subscriptions.map(({ subscription_id }) => {
    const row = byId.get(subscription_id);
    return row ? openRow(keyring, row) : noSubscription();
  });
}

function openRow(keyring: Keyring, row: CallSettingsRow): CallSettings {
  const { target_url, timeout_seconds, sealed_private_key } = row;
  const place = settingsSealContext('sealed_private_key', row.team_id, row.id);
  return {
    targetUrl: target_url,
    readScopes: new Set(stillHeld(row)),
    clientId: row.set_by_client_id,
    headers: openHeaders(keyring, row),
    timeoutSeconds: timeout_seconds ?? undefined,
    privateKey:
      sealed_private_key === null
        ? undefined
        : openSigningPair(keyring.open(sealed_private_key, place)),
  };
}
