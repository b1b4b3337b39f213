import type { Sql } from '../../../platform/database/sql.ts';
import { storedColumns } from '../queries.ts';
import type { ProviderKey, StoredProvider } from '../queries.ts';

export async function requestTest(sql: Sql, { team_id, id }: ProviderKey): Promise<void> {
  await sql`
    update sending_providers
    set test_requested_at = now(), tested_at = null, test_error_code = null
    where team_id = ${team_id} and id = ${id}`;
}

export async function isTestRequested(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from sending_providers
    where team_id = ${teamId} and id = ${id} and test_requested_at is not null
      and deleted_at is null`;
  return rows.length > 0;
}

/** Claims the requested test of a provider, unless another one of the team is tested. */
export async function claimTest(
  sql: Sql,
  teamId: string,
  id: string,
  leaseSeconds: number,
): Promise<StoredProvider | undefined> {
  const [row] = await sql<StoredProvider[]>`
    update sending_providers t set test_started_at = now()
    where t.team_id = ${teamId} and t.id = ${id} and t.test_requested_at is not null
      and t.deleted_at is null and not exists (
        select from sending_providers
        where team_id = ${teamId} and id <> ${id} and test_requested_at is not null
          and test_started_at > now() - make_interval(secs => ${leaseSeconds}))
    returning ${sql.unsafe(storedColumns)}`;
  return row;
}

/**
 * Ends the test of a provider, without a code as succeeded. False where the provider was changed
 * after `lockVersion`, so that the result is one of other settings.
 */
export async function writeTest(
  sql: Sql,
  { team_id, id, lock_version }: ProviderKey & { lock_version: number },
  code: string | null,
): Promise<boolean> {
  const rows = await sql`
    update sending_providers
    set test_requested_at = null, test_started_at = null, tested_at = now(),
      test_error_code = ${code}
    where team_id = ${team_id} and id = ${id} and test_requested_at is not null
      and lock_version = ${lock_version}`;
  return rows.count > 0;
}

/** Ends a test that the service itself has failed to make. */
export async function giveUpTest(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update sending_providers
    set test_requested_at = null, test_started_at = null, tested_at = now(),
      test_error_code = 'internal_error'
    where team_id = ${teamId} and id = ${id} and test_requested_at is not null`;
}

/** Providers whose test is late. */
export async function listOverdueProviderTests(
  sql: Sql,
  overdueMs: number,
  limit: number,
): Promise<{ id: string; team_id: string }[]> {
  return sql<{ id: string; team_id: string }[]>`
    select id, team_id from sending_providers
    where test_requested_at < now() - make_interval(secs => ${overdueMs / 1_000})
      and deleted_at is null
    order by test_requested_at limit ${limit} /* any team: the relay serves all */`;
}
