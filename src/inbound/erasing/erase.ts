import { eraseBySteps } from '../../contacts/contact-erasures/sweeping/eraser.ts';
import type { Sweep } from '../../contacts/contact-erasures/sweeping/eraser.ts';
import { firstId } from '../../platform/database/first-id.ts';
import { openRaw } from '../intake/callback.ts';
import { deleteRaw, eraseCallbacks, listUnlinkedRaw } from './queries.ts';

/** Erases callbacks about persons, and bytes that name them. */
export async function eraseCallbackCopies(sweep: Sweep): Promise<boolean> {
  await eraseBySteps(sweep, [eraseCallbacks]);
  await eraseRaw(sweep);
  return true;
}

/** Bytes of callbacks are sealed: they are opened one by one. */
async function eraseRaw({ database, keyring, persons, search }: Sweep): Promise<void> {
  const { teamId } = persons;
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
