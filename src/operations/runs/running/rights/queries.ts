import type { Sql } from '../../../../platform/database/sql.ts';
import type { Purpose } from '../../../sftp/rules.ts';
import type { StoredRun } from '../../queries.ts';

/** The current rights of the client that a run acts for. */
export interface RunAuthorization {
  tier: string;
  /** Nothing is applied until the team is resumed. */
  is_team_suspended: boolean;
  /** False if the client, its SFTP credentials or the file source is suspended, revoked or expired. */
  is_active: boolean;
  /** Entitlement of the client; for files that of the client that gave the rights. */
  entitled: string[];
  /** Purpose of the SFTP credential or file source; null for a client. */
  purpose: Purpose | null;
}

export async function findRunAuthorization(sql: Sql, run: StoredRun): Promise<RunAuthorization> {
  const { team_id, requested_by_client_id, sftp_credential_id, file_source_id } = run;
  const [row] = await sql<[RunAuthorization]>`
    select teams.tier, teams.suspended_at is not null as is_team_suspended,
      coalesce(c.scopes, '{}') as entitled, coalesce(s.purpose, f.purpose) as purpose,
      c.id is not null and c.suspended_at is null and case
        when s.id is not null then s.revoked_at is null and s.deleted_at is null
          and coalesce(s.expires_at > now(), true)
        else f.id is null or f.is_active and f.deleted_at is null end as is_active
    from teams
    left join sftp_credentials s on s.team_id = teams.id and s.id = ${sftp_credential_id}
    left join file_sources f on f.team_id = teams.id and f.id = ${file_source_id}
    left join clients c on c.team_id = teams.id
      and c.id = coalesce(${requested_by_client_id}::uuid, s.client_id, f.client_id)
    where teams.id = ${team_id} /* team_id of all four */`;
  return row;
}
