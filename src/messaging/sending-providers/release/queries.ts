import type { Sql } from '../../../platform/database/sql.ts';
import { sendingProviders } from '../queries.ts';
import type { ProviderKey, SendingProviderRow } from '../queries.ts';

/** The settings may be used, also where the team requires a release. */
export async function releaseProvider(
  sql: Sql,
  { team_id, id }: ProviderKey,
): Promise<SendingProviderRow> {
  await sql`
    update sending_providers
    set released_at = now(), event_sequence = event_sequence + 1,
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id} and deleted_at is null`;
  return sendingProviders.require(sql, team_id, id);
}

/** Providers from before a team required releases stay in use. */
export async function releaseAllProviders(sql: Sql, teamId: string): Promise<void> {
  await sql`
    update sending_providers set released_at = now()
    where team_id = ${teamId} and released_at is null and deleted_at is null`;
}

export async function listProvidersOf(sql: Sql, teamId: string): Promise<SendingProviderRow[]> {
  return sql<SendingProviderRow[]>`
    select ${sql.unsafe(sendingProviders.columns)} from sending_providers t
    where t.team_id = ${teamId} and t.deleted_at is null
    order by t.channel, t.priority, t.inserted_at`;
}
