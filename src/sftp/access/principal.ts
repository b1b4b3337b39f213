import type { Principal } from '../../auth/principal.ts';
import type { Sql } from '../../database/client.ts';
import type { Operation } from '../../ipaas/operation.ts';
import { findTier } from './queries.ts';

/** On whose behalf a file is imported: no client, with what the one operation needs. */
export async function principalOf(
  sql: Sql,
  teamId: string,
  { scopes }: Operation,
): Promise<Principal> {
  const tier = await findTier(sql, teamId);
  return { tokenKind: 'partner', teamId, clientId: '', scopes: new Set(scopes), tier };
}
