import { isDeepStrictEqual } from 'node:util';
import { missingScopes } from '../../../platform/auth/principal.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { wideningScopes, withinEntitlement } from '../../../platform/auth/scopes.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { checkScopes } from '../../../platform/http/authorize.ts';
import { operations } from '../../catalog.ts';
import { maySend } from '../rules.ts';
import type { Purpose } from '../rules.ts';
import { findTier } from './queries.ts';
import type { Grant } from './queries.ts';

/** Scopes of all operations that files of the purpose may start, sorted. */
export function scopesOf(purpose: Purpose): string[] {
  const sendable = operations.filter(({ kind }) => maySend(purpose, kind));
  return [...new Set(sendable.flatMap((operation) => operation.scopes))].sort();
}

/** The same with what changes how a file is applied, or what its results show, where it is held. */
function usefulScopesOf(purpose: Purpose): string[] {
  const sendable = operations.filter(({ kind }) => maySend(purpose, kind));
  const outputs = sendable.flatMap(({ outputScope = [] }) => outputScope);
  return [...new Set([...scopesOf(purpose), ...outputs, ...wideningScopes])].sort();
}

/** Whose rights the files of credentials or of a file source have, as their row names them. */
export interface Rights {
  client_id: string | null;
  scopes: string[];
}

/** The rights that a client gives to what it makes: those of the purpose that it has itself. */
export function rightsOf({ clientId, scopes }: Principal, purpose: Purpose): Rights {
  return {
    client_id: clientId,
    scopes: usefulScopesOf(purpose).filter((scope) => scopes.has(scope)),
  };
}

/** Throws 401 unless the client may run all operations that files of the purpose start. */
export function checkPurpose(principal: Principal, purpose: Purpose): void {
  checkScopes(principal, ...scopesOf(purpose));
}

/**
 * The rights after a change, which become those of the client that makes it. Throws 401 where it
 * lacks a scope of another purpose, or one that the files have: it could send its own.
 */
export function rightsAfter(
  principal: Principal,
  before: Rights & { purpose: Purpose },
  { purpose, isNamed, isRedirected }: { purpose: Purpose; isNamed: boolean; isRedirected: boolean },
): Rights {
  const rights = rightsOf(principal, purpose);
  if (purpose !== before.purpose) checkPurpose(principal, purpose);
  else if (isRedirected) {
    const started = scopesOf(purpose);
    checkScopes(principal, ...before.scopes.filter((scope) => started.includes(scope)));
  }
  // A client that names the purpose again renews the rights, such as those of a client that left.
  else if (!isNamed || missingScopes({ scopes: scopesOf(purpose) }, principal).length > 0) {
    return before;
  }
  const { client_id, scopes } = before;
  return isDeepStrictEqual(rights, { client_id, scopes }) ? before : rights;
}

/** Principal of the import of a file: no client, with the scopes that its client still has. */
export async function principalOf(sql: Sql, teamId: string, grant: Grant): Promise<Principal> {
  const tier = await findTier(sql, teamId);
  const scopes = new Set(withinEntitlement(grant.scopes, grant.entitled));
  return { tokenKind: 'partner', teamId, clientId: '', scopes, tier };
}
