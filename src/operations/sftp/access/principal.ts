import type { Principal } from '../../../platform/auth/principal.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { operations } from '../../catalog.ts';
import { maySend } from '../rules.ts';
import type { Purpose } from '../rules.ts';
import { findTier } from './queries.ts';

/** Principal of the import of a file: no client, with the scopes of the credential's purpose. */
export async function principalOf(sql: Sql, teamId: string, purpose: Purpose): Promise<Principal> {
  const tier = await findTier(sql, teamId);
  const sendable = operations.filter(({ kind }) => maySend(purpose, kind));
  const scopes = new Set(sendable.flatMap((operation) => operation.scopes));
  return { tokenKind: 'partner', teamId, clientId: '', scopes, tier };
}
