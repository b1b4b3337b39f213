import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { awaitBeforeCommit } from '../../platform/database/transaction-context.ts';
import { insertEarlierIdentities } from './queries.ts';
import type { EarlierIdentity } from './queries.ts';

const kinds = ['email', 'phone', 'unique_id'] as const;
type Identified = Record<(typeof kinds)[number], string | null>;

/**
 * Keeps the addresses, numbers and keys that contacts lose, so that an erasure finds copies that
 * name the person by them. A change of anything else costs nothing.
 */
export function recordEarlierIdentities(
  sql: Sql,
  keyring: Keyring,
  changes: readonly { before: Identified & { id: string; team_id: string }; after: Identified }[],
): void {
  const rows = changes.flatMap(({ before, after }) =>
    kinds.flatMap((kind) => {
      const { [kind]: value, id, team_id } = before;
      if (value === null || value === after[kind]) return [];
      const identity = { contact_id: id, kind };
      const digest = keyring
        .digest('identity', [team_id, id, kind, value].join('\n'))
        .digest.toString('hex');
      return [
        {
          ...identity,
          digest,
          sealed_value: keyring.seal(value, sealContextOf(team_id, identity)),
        },
      ];
    }),
  );
  const [first] = changes;
  if (first === undefined || rows.length === 0) return;
  awaitBeforeCommit(sql, insertEarlierIdentities(sql, first.before.team_id, rows));
}

export function openEarlierIdentity(
  keyring: Keyring,
  teamId: string,
  identity: EarlierIdentity,
): string {
  return keyring.open(identity.sealed_value, sealContextOf(teamId, identity));
}

/** Seal context of an earlier identity. */
export function sealContextOf(
  teamId: string,
  { contact_id, kind }: { contact_id: string; kind: string },
): string[] {
  return ['earlier_identities', 'value', teamId, contact_id, kind];
}
