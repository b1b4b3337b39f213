import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Keyring } from '../../platform/auth/keyring.ts';
import { isEntitled } from './rights/queries.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { table } from '../../platform/resources/table.ts';
import type { RowIn } from '../../platform/resources/table.ts';
import { Id } from '../../platform/schema/fields.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { ProviderSecrets, TeamProvider } from '../providers/team-provider.ts';
import type { ProviderContent } from './rules.ts';
import { SendingProvider } from './sending-provider.ts';

export const sendingProviders = table('sending_providers', SendingProvider, {
  derived: {
    previous_secret_expires_at:
      'case when t.previous_secret_expires_at > now() then t.previous_secret_expires_at end',
    // The time of the request is that of a test that has not ended.
    test_status: `case when t.test_requested_at is not null then 'pending'
      when t.test_error_code is not null then 'failed'
      when t.tested_at is not null then 'succeeded' end`,
  },
  hidden: { event_sequence: Type.Integer(), changed_by_client_id: Type.Optional(Id()) },
  required: ['channel', 'kind', 'name', 'url'],
  optional: ['priority', 'is_active', 'account', 'family', 'senders'],
  fixed: ['channel', 'kind'],
});
export type SendingProviderRow = RowIn<typeof sendingProviders>;

/** Names the row of a provider. */
export type ProviderKey = Pick<TeamProvider, 'team_id' | 'id'>;

/** An active provider with its sealed secrets and its state. */
export interface StoredProvider extends TeamProvider {
  priority: number;
  /** Rises with every change of the settings, but not of the state. */
  lock_version: number;
  sealed_secret: string;
  /** Null outside of the overlap of a rotation. */
  sealed_previous_secret: string | null;
  halted_at: string | null;
  next_probe_at: string | null;
}

/** Seal context of both secrets: they open for no other provider. */
export function providerSecretSealContext(teamId: string, id: string): string[] {
  return ['sending_providers', 'secret', teamId, id];
}

/** The current secret is empty for a server that requires no login. */
export function openSecrets(
  keyring: Keyring,
  provider: Pick<StoredProvider, 'team_id' | 'id' | 'sealed_secret' | 'sealed_previous_secret'>,
): ProviderSecrets {
  const { team_id, id, sealed_secret, sealed_previous_secret: previous } = provider;
  const place = providerSecretSealContext(team_id, id);
  return {
    current: keyring.open(sealed_secret, place),
    previous: previous === null ? undefined : keyring.open(previous, place),
  };
}

/** Columns of `StoredProvider`, of the table `t`. */
export const storedColumns = `t.team_id, t.id, t.channel, t.kind, t.url, t.account, t.family, t.senders,
  t.priority, t.lock_version, t.sealed_secret,
  case when t.previous_secret_expires_at > now() then t.sealed_previous_secret end
    as sealed_previous_secret,
  t.halted_at, t.next_probe_at`;

/** Counts the providers of one channel of a team. */
export function countProviders(channel: TeamProvider['channel']) {
  return async (sql: Sql, teamId: string): Promise<number> => {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from sending_providers
      where team_id = ${teamId} and channel = ${channel} and deleted_at is null`;
    return row.count;
  };
}

export async function insertSendingProvider(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  { senders, ...content }: ProviderContent,
  { secret, clientId }: { secret: string; clientId: string },
): Promise<SendingProviderRow> {
  const id = randomUUID();
  const sealed_secret = keyring.seal(secret, providerSecretSealContext(teamId, id));
  await sql`
    insert into sending_providers ${sql({
      ...{ team_id: teamId, id, ...content, sealed_secret },
      ...{ senders: [...senders], changed_by_client_id: clientId, event_sequence: 1 },
    })}`;
  return sendingProviders.require(sql, teamId, id);
}

/**
 * Another secret ends a rotation: the previous one belongs to the settings before. A halted provider
 * is probed at the next claim, since it may accept messages with the new settings.
 */
export async function updateSendingProviderRow(
  sql: Sql,
  keyring: Keyring,
  { team_id, id }: ProviderKey,
  { senders, ...content }: ProviderContent,
  {
    secret,
    reconnects,
    clientId,
  }: { secret: string | undefined; reconnects: boolean; clientId: string },
): Promise<SendingProviderRow> {
  const columns = {
    ...content,
    senders: [...senders],
    ...(reconnects && { tested_at: null, test_error_code: null, ...unreleased(clientId) }),
    ...(secret !== undefined && {
      sealed_secret: keyring.seal(secret, providerSecretSealContext(team_id, id)),
      sealed_previous_secret: null,
      previous_secret_expires_at: null,
      secret_changed_at: new Date().toISOString(),
    }),
  };
  await sql`
    update sending_providers
    set ${sql(columns)}, next_probe_at = case when halted_at is not null then now() end,
      event_sequence = event_sequence + 1, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}`;
  return sendingProviders.require(sql, team_id, id);
}

const unreleased = (clientId: string) => ({
  changed_by_client_id: clientId,
  released_at: null,
});

interface Rotation {
  secret: string;
  overlapSeconds: number;
  clientId: string;
}

/** The secret before is used until the overlap ends; the one before that is forgotten. */
export async function rotateSecret(
  sql: Sql,
  keyring: Keyring,
  { team_id, id }: ProviderKey,
  { secret, overlapSeconds, clientId }: Rotation,
): Promise<SendingProviderRow> {
  await sql`
    update sending_providers
    set sealed_previous_secret = case when ${overlapSeconds} > 0 then sealed_secret end,
      previous_secret_expires_at =
        case when ${overlapSeconds} > 0 then now() + make_interval(secs => ${overlapSeconds}) end,
      sealed_secret = ${keyring.seal(secret, providerSecretSealContext(team_id, id))},
      secret_changed_at = now(), tested_at = null, test_error_code = null,
      changed_by_client_id = ${clientId}, released_at = null,
      event_sequence = event_sequence + 1,
      next_probe_at = case when halted_at is not null then now() end,
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}`;
  return sendingProviders.require(sql, team_id, id);
}

/** Its secrets are forgotten. */
export async function deleteSendingProviderRow(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<void> {
  await sql`
    update sending_providers
    set deleted_at = now(), sealed_secret = null, sealed_previous_secret = null,
      previous_secret_expires_at = null, test_requested_at = null,
      event_sequence = event_sequence + 1, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** Forgets secrets whose overlap has ended. */
export async function prunePreviousSecrets(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    update sending_providers t set sealed_previous_secret = null
    where (t.team_id, t.id) in (
      select team_id, id from sending_providers
      where sealed_previous_secret is not null and previous_secret_expires_at <= now()
      limit ${limit} for update skip locked) /* any team: maintenance serves all */`;
  return rows.count;
}

/** The active providers of teams; those of a channel in the order in which they are used. */
export async function listTeamProviders(
  sql: Sql,
  teamIds: readonly string[],
): Promise<StoredProvider[]> {
  if (teamIds.length === 0) return [];
  return sql<StoredProvider[]>`
    select ${sql.unsafe(storedColumns)}
    from unnest(${[...teamIds]}::uuid[]) as requested (team_id)
    join sending_providers t on t.team_id = requested.team_id and t.is_active
      and t.deleted_at is null
    join teams on teams.id = requested.team_id
      and (t.released_at is not null or not teams.requires_provider_release)
      and ${sql.unsafe(isEntitled('t'))}
    order by t.team_id, t.channel, t.priority, t.inserted_at, t.id`;
}

/** A provider that does not exist, was deleted, or is in the other state, is undefined. */
type Changed = Promise<SendingProviderRow | undefined>;

export interface Halt {
  /** The failure, without personal data. */
  code: string;
  /** When the provider gets the next message. */
  probeAtMs: number;
}

/** Halts a provider that was not halted. */
export async function beginHalt(
  sql: Sql,
  { team_id, id }: ProviderKey,
  { code, probeAtMs }: Halt,
): Changed {
  const [row] = await sql<SendingProviderRow[]>`
    update sending_providers t
    set halted_at = now(), halt_code = ${code},
      next_probe_at = ${toTimestamp(probeAtMs)}, event_sequence = event_sequence + 1
    where t.team_id = ${team_id} and t.id = ${id} and t.halted_at is null and t.deleted_at is null
    returning ${sql.unsafe(sendingProviders.columns)}`;
  return row;
}

/** Writes the next probe of a provider that is halted. */
export async function writeHalt(
  sql: Sql,
  { team_id, id }: ProviderKey,
  { code, probeAtMs }: Halt,
): Promise<void> {
  await sql`
    update sending_providers
    set halt_code = ${code}, next_probe_at = ${toTimestamp(probeAtMs)}
    where team_id = ${team_id} and id = ${id} and halted_at is not null and deleted_at is null`;
}

export async function endHalt(sql: Sql, { team_id, id }: ProviderKey): Changed {
  const [row] = await sql<SendingProviderRow[]>`
    update sending_providers t
    set halted_at = null, halt_code = null, next_probe_at = null,
      event_sequence = event_sequence + 1
    where t.team_id = ${team_id} and t.id = ${id} and t.halted_at is not null
      and t.deleted_at is null
    returning ${sql.unsafe(sendingProviders.columns)}`;
  return row;
}
