import type { Sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';

export interface DeviceRow {
  id: string;
  type: 'device';
  team_id: string;
  contact_id: string;
  token_hash: string;
  platform: 'ios' | 'android' | 'web';
  app_id: string | null;
  is_active: boolean;
  last_seen_at: string;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

export type NewDevice = Pick<DeviceRow, 'id' | 'contact_id' | 'token_hash' | 'platform' | 'app_id'>;

export function deviceSource(teamId: string, contactId: string): ListSource {
  return {
    from: 'contact_devices t',
    select: `t.*, 'device' as type`,
    where: {
      text: 't.team_id = $1::uuid and t.contact_id = $2::uuid and t.deleted_at is null',
      values: [teamId, contactId],
    },
  };
}

/** Throws 404. */
export async function requireDevice(sql: Sql, teamId: string, contactId: string, id: string) {
  const [row] = await sql<DeviceRow[]>`
    select *, 'device' as type
    from contact_devices
    where team_id = ${teamId} and contact_id = ${contactId} and id = ${id} and deleted_at is null`;
  if (!row) throw notFound('device');
  return row;
}

/** Locks the device until the end of the transaction. Throws 404. */
export async function lockDevice(sql: Sql, teamId: string, contactId: string, id: string) {
  const [row] = await sql<DeviceRow[]>`
    select *, 'device' as type
    from contact_devices
    where team_id = ${teamId} and contact_id = ${contactId} and id = ${id} and deleted_at is null
    for update`;
  if (!row) throw notFound('device');
  return row;
}

/** Returns the device with a token; its row is locked. */
export async function findDeviceByToken(sql: Sql, teamId: string, tokenHash: string) {
  const [row] = await sql<DeviceRow[]>`
    select *, 'device' as type
    from contact_devices
    where team_id = ${teamId} and token_hash = ${tokenHash} and deleted_at is null
    for update`;
  return row;
}

/** Undefined where another transaction has just registered the token. */
export async function insertDevice(
  sql: Sql,
  teamId: string,
  device: NewDevice,
  sealedToken: string,
): Promise<DeviceRow | undefined> {
  const [row] = await sql<DeviceRow[]>`
    insert into contact_devices ${sql({ team_id: teamId, ...device, sealed_token: sealedToken })}
    on conflict (team_id, token_hash) where deleted_at is null do nothing
    returning *, 'device' as type`;
  return row;
}

/** A token is that of one device: registering it again moves it to the contact that uses it now. */
export async function registerAgain(
  sql: Sql,
  teamId: string,
  id: string,
  device: Pick<NewDevice, 'contact_id' | 'platform' | 'app_id'>,
): Promise<DeviceRow> {
  const [row] = await sql<[DeviceRow]>`
    update contact_devices
    set ${sql(device, 'contact_id', 'platform', 'app_id')}, is_active = true, last_seen_at = now(),
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}
    returning *, 'device' as type`;
  return row;
}

/** Exact while the contact is locked. */
export async function countDevices(sql: Sql, teamId: string, contactId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from contact_devices
    where team_id = ${teamId} and contact_id = ${contactId} and deleted_at is null`;
  return row.count;
}

/** Marks a token that the provider rejects as inactive until the device is registered again. */
export async function invalidateDevice(sql: Sql, teamId: string, tokenHash: string): Promise<void> {
  await sql`
    update contact_devices
    set is_active = false, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and token_hash = ${tokenHash} and deleted_at is null and is_active`;
}

export async function deleteDeviceRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update contact_devices
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}
