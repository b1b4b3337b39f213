import { eraseBySteps } from '../../../contacts/contact-erasures/sweeping/eraser.ts';
import type { Sweep } from '../../../contacts/contact-erasures/sweeping/eraser.ts';
import { requireTeam } from '../../../team/queries.ts';
import { eraseLines } from './queries.ts';

/**
 * Erases content and address of archived messages to erased contacts; the lines with their ids
 * remain. A team that must retain them by law keeps them until their term.
 */
export async function eraseArchived(sweep: Sweep): Promise<boolean> {
  const { database, persons } = sweep;
  const { retention } = await database.read((sql) => requireTeam(sql, persons.teamId));
  if (retention?.archived_messages_survive_erasure === true) return true;
  await eraseBySteps(sweep, [eraseLines]);
  return true;
}
