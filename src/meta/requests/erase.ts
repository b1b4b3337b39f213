import { eraseBySteps } from '../../contacts/contact-erasures/sweeping/eraser.ts';
import type { Sweep } from '../../contacts/contact-erasures/sweeping/eraser.ts';
import { deleteRequestsOf } from './queries.ts';

/** Erases the logged requests that name persons. */
export async function eraseLoggedRequests(sweep: Sweep): Promise<boolean> {
  await eraseBySteps(sweep, [deleteRequestsOf]);
  return true;
}
