import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Database } from '../../../platform/database/client.ts';
import { keepSuppressionsOfErased } from '../../suppressions/erased/erased.ts';
import { openRaw } from '../../../inbound/intake/callback.ts';
import { signalWorkflow } from '../../../platform/temporal/signal-workflow.ts';
import { isInUse, readBytes, removeUpload } from '../../../operations/uploads/queries.ts';
import { identityPlace } from '../erase.ts';
import type { SearchedIdentity } from '../erase.ts';
import type { ErasureRow } from '../queries.ts';
import { searchFor } from './identity.ts';
import type { IdentitySearch } from './identity.ts';
import {
  deleteRaw,
  eraseAddresses,
  eraseAnswers,
  eraseAppendOnly,
  eraseCallbacks,
  eraseChildren,
  eraseForms,
  eraseItems,
  listUnlinkedRaw,
  listWaitingChunks,
  writeChunk,
} from './queries.ts';
import { eraseFileNames, listUploads, restartExports } from './files/queries.ts';
import type { ChunkPlace, Persons } from './queries.ts';

/** Bytes of a file read at a time, and bytes of its end that are read again with the next part. */
const windowBytes = 1_000_000;
const overlapBytes = 1_000;

/**
 * Goes through every copy of the data of some persons, each in transactions of its own: erased data
 * stays erased after an interruption, and the next run finds less. False where a file is still
 * being read by an operation.
 */
export async function eraseCopiesOf(
  database: Database,
  keyring: Keyring,
  teamId: string,
  erasures: readonly ErasureRow[],
): Promise<boolean> {
  const known = erasures.flatMap((row) =>
    identityOf(keyring, row).map((identity) => ({ ...identity, contactIds: row.contact_ids })),
  );
  const search = searchFor(known);
  await database.transact(
    async (sql) => {
      for (const one of known) await keepSuppressionsOfErased(sql, keyring, teamId, one);
    },
    { deadlineMs },
  );
  const { needles, addresses } = search;
  const contactIds = erasures.flatMap(({ contact_ids }) => contact_ids);
  const persons: Persons = { teamId, contactIds, needles, addresses };
  const steps = [eraseFileNames, eraseAppendOnly, eraseChildren, eraseAddresses, eraseCallbacks];
  for (const step of [...steps, eraseForms, eraseAnswers, eraseItems]) {
    for (let changed = 1; changed > 0;) {
      changed = await database.transact((sql) => step(sql, persons), { deadlineMs });
    }
  }
  await takeOutWaiting(database, persons, search);
  await eraseRaw(database, keyring, teamId, search);
  await database.transact(
    async (sql) => {
      for (const id of await restartExports(sql, persons))
        await signalWorkflow(sql, 'export', id, teamId);
    },
    { deadlineMs },
  );
  return eraseUploads(database, teamId, search);
}

const deadlineMs = 110_000;

function identityOf(keyring: Keyring, { team_id, id, sealed_identity }: ErasureRow) {
  if (sealed_identity === null) return [];
  const identity: unknown = JSON.parse(keyring.open(sealed_identity, identityPlace(team_id, id)));
  return isIdentity(identity) ? [identity] : [];
}

const isIdentity = (value: unknown): value is SearchedIdentity =>
  typeof value === 'object' && value !== null && 'emails' in value;

/**
 * Items that wait in runs and name the person fail: nothing of them is left to be applied. Each chunk
 * is looked at once, as some only seem to name the person, by a word in other letters.
 */
async function takeOutWaiting(
  database: Database,
  persons: Persons,
  search: IdentitySearch,
): Promise<void> {
  const empty = (item: unknown) => (search.isIn(JSON.stringify(item)) ? null : item);
  let behind: ChunkPlace = { run_id: firstId, number: -1 };
  for (;;) {
    const from = behind;
    const last = await database.transact(
      async (sql) => {
        const page = await listWaitingChunks(sql, persons, from);
        for (const chunk of page) {
          const items: unknown = JSON.parse(chunk.input);
          const text = isList(items) ? JSON.stringify(items.map(empty)) : chunk.input;
          if (text !== chunk.input) await writeChunk(sql, persons.teamId, chunk, text);
        }
        return page.at(-1);
      },
      { deadlineMs },
    );
    if (!last) return;
    behind = last;
  }
}

/** Sorts before every id. */
const firstId = '00000000-0000-0000-0000-000000000000';

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Bytes of callbacks are sealed: they are opened one by one. */
async function eraseRaw(
  database: Database,
  keyring: Keyring,
  teamId: string,
  search: IdentitySearch,
): Promise<void> {
  let behind = firstId;
  for (;;) {
    const from = behind;
    const page = await database.read((sql) => listUnlinkedRaw(sql, teamId, from));
    const named = page.filter(({ id, sealed_callback }) => {
      const { path, encoding, body } = openRaw(keyring, sealed_callback, teamId, id);
      return search.isIn(`${path}\n${Buffer.from(body, encoding).toString('utf8')}`);
    });
    const ids = named.map(({ id }) => id);
    await database.transact((sql) => deleteRaw(sql, teamId, ids));
    const last = page.at(-1);
    if (!last) return;
    behind = last.id;
  }
}

/** A file that names the person goes whole, once no operation reads it. */
async function eraseUploads(
  database: Database,
  teamId: string,
  search: IdentitySearch,
): Promise<boolean> {
  let isClean = true;
  for (const { id, size_bytes } of await database.read((sql) => listUploads(sql, teamId))) {
    if (!(await isInFile(database, { teamId, id }, size_bytes, search))) continue;
    const isRemoved = await database.transact(async (sql) => {
      if (await isInUse(sql, { teamId, id })) return false;
      await removeUpload(sql, { teamId, id });
      return true;
    });
    isClean &&= isRemoved;
  }
  return isClean;
}

async function isInFile(
  database: Database,
  key: { teamId: string; id: string },
  sizeBytes: number,
  search: IdentitySearch,
): Promise<boolean> {
  for (let offset = 0; offset < sizeBytes; offset += windowBytes) {
    const from = Math.max(0, offset - overlapBytes);
    const length = Math.min(windowBytes + offset, sizeBytes) - from;
    const bytes = await database.read((sql) => readBytes(sql, key, from, length));
    if (search.isIn(bytes.toString('utf8'))) return true;
  }
  return false;
}
