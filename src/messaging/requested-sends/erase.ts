import { eraseBySteps } from '../../contacts/contact-erasures/sweeping/eraser.ts';
import type { Sweep } from '../../contacts/contact-erasures/sweeping/eraser.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { deleteJourneyData } from '../message-data/queries.ts';
import { deleteSendData, withdrawRequested } from './queries.ts';

/** Cancels what waits for contacts that are archived or erased. */
export async function cancelRequestedSends(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  await withdrawRequested(sql, teamId, contactIds);
}

/** Erases the data of journeys, and of sends that were in flight when the person was erased. */
export async function eraseMessageData(sweep: Sweep): Promise<boolean> {
  await eraseBySteps(sweep, [deleteSendData, deleteJourneyData]);
  return true;
}
