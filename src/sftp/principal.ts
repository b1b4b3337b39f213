import type { Principal } from '../auth/principal.ts';
import type { Sql } from '../database/client.ts';
import type { Operation } from '../ipaas/operation.ts';
import { findActivePurpose, findTier } from './queries.ts';
import { maySend } from './rules.ts';

/** On whose behalf a file is imported: no client, with what the one operation needs. */
export async function principalOf(
  sql: Sql,
  teamId: string,
  { scopes }: Operation,
): Promise<Principal> {
  const tier = await findTier(sql, teamId);
  return { tokenKind: 'partner', teamId, clientId: '', scopes: new Set(scopes), tier };
}

/**
 * What credentials may do at this moment; undefined when they are revoked, expired or made for
 * something else: a run of theirs is then refused.
 */
export async function activePrincipalOf(
  sql: Sql,
  teamId: string,
  credentialId: string,
  operation: Operation,
): Promise<Principal | undefined> {
  const purpose = await findActivePurpose(sql, teamId, credentialId);
  if (purpose === undefined || !maySend(purpose, operation.kind)) return undefined;
  return principalOf(sql, teamId, operation);
}
