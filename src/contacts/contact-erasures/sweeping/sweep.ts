import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Database } from '../../../platform/database/client.ts';
import { foldingOf } from '../../../platform/database/folded.ts';
import { keepSuppressionsOfErased } from '../../suppressions/erased/erased.ts';
import { identitySealContext } from '../erase.ts';
import type { SearchedIdentity } from '../erase.ts';
import type { ErasureRow } from '../queries.ts';
import { deadlineMs, eraseBySteps } from './eraser.ts';
import type { CopyEraser } from './eraser.ts';
import { searchFor } from './identity.ts';
import {
  eraseAddresses,
  eraseAnswers,
  eraseAppendOnly,
  eraseChildren,
  eraseForms,
} from './queries.ts';

export interface SweepDependencies {
  database: Database;
  keyring: Keyring;
  erasers: readonly CopyEraser[];
}

const steps = [eraseAppendOnly, eraseChildren, eraseAddresses, eraseForms, eraseAnswers];

/**
 * Goes through every copy of the data of some persons, each in transactions of its own: erased data
 * stays erased after an interruption, and the next run finds less. False where a file is still
 * being read by an operation.
 */
export async function eraseCopiesOf(
  { database, keyring, erasers }: SweepDependencies,
  teamId: string,
  erasures: readonly ErasureRow[],
): Promise<boolean> {
  const known = erasures.flatMap((row) =>
    identityOf(keyring, row).map((identity) => ({ ...identity, contactIds: row.contact_ids })),
  );
  const search = searchFor(known);
  const folded = await database.transact(
    async (sql) => {
      for (const one of known) await keepSuppressionsOfErased(sql, keyring, teamId, one);
      return foldingOf(sql, search.needles);
    },
    { deadlineMs },
  );
  const { addresses } = search;
  const needles = [...new Set(search.needles.map(folded))];
  const contactIds = erasures.flatMap(({ contact_ids }) => contact_ids);
  const persons = { teamId, contactIds, needles, addresses };
  const sweep = { database, keyring, persons, search };
  await eraseBySteps(sweep, steps);
  let isClean = true;
  for (const erase of erasers) isClean = (await erase(sweep)) && isClean;
  return isClean;
}

function identityOf(keyring: Keyring, { team_id, id, sealed_identity }: ErasureRow) {
  if (sealed_identity === null) return [];
  const identity: unknown = JSON.parse(
    keyring.open(sealed_identity, identitySealContext(team_id, id)),
  );
  return isIdentity(identity) ? [identity] : [];
}

const isIdentity = (value: unknown): value is SearchedIdentity =>
  typeof value === 'object' && value !== null && 'emails' in value;
