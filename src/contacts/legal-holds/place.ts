import type { Sql } from '../../platform/database/sql.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { fail } from '../../platform/http/errors.ts';
import { shareTeam } from '../../team/queries.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { legalHoldPlaced } from '../events.ts';
import { contactNotAvailable } from '../not-available.ts';
import { maxLegalHolds } from './legal-hold.ts';
import type { LegalHoldRow } from './legal-hold.ts';
import { countActive, findAnyHold, findHoldOn, insertLegalHold, lockHeld } from './queries.ts';

/**
 * Places a hold on a contact in any status, or on the team. It locks the team, then the contact:
 * an erasure, which does the same, is committed before, or finds the hold. Throws 410
 * `contact_merged`, and 422.
 */
export async function placeHold(
  sql: Sql,
  teamId: string,
  hold: Pick<LegalHoldRow, 'contact_id' | 'reason' | 'placed_by_client_id'>,
): Promise<LegalHoldRow> {
  await checkQuota(sql, teamId, {
    name: 'legal_holds',
    of: 'legal holds that stand',
    limit: maxLegalHolds,
    count: countActive,
  });
  const contact_id = hold.contact_id?.toLowerCase() ?? null;
  if (contact_id !== null) await requireHeld(sql, teamId, contact_id);
  const row = await insertLegalHold(sql, teamId, { ...hold, contact_id });
  recordEvent(sql, { teamId, type: legalHoldPlaced, data: row, sequence: row.lock_version });
  return row;
}

async function requireHeld(sql: Sql, teamId: string, id: string): Promise<void> {
  const pointer = '/contact_id';
  const contact = await lockHeld(sql, teamId, id);
  if (!contact) {
    throw fail('validation_failed', {
      detail: 'The team has no such contact.',
      meta: { pointer, rule: 'reference_not_found' },
    });
  }
  if (contact.merged_into_id !== null && contact.erased_at === null) {
    throw contactNotAvailable(contact, { pointer });
  }
}

/** Call before contacts are locked for an erasure: holds that are being placed come first. */
export async function awaitHolds(sql: Sql, teamId: string): Promise<void> {
  await shareTeam(sql, teamId);
}

/** Refuses a shorter term while any hold of the team stands. Throws 409 `legal_hold`. */
export async function refuseWhileHeld(sql: Sql, teamId: string): Promise<void> {
  const hold = await findAnyHold(sql, teamId);
  if (hold) throw held('team', hold);
}

/** Refuses to delete contacts that are locked while a hold stands. Throws 409 `legal_hold`. */
export async function refuseHeld(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  const hold = await findHoldOn(sql, teamId, contactIds);
  if (hold) throw held('contact', hold);
}

const held = (resource: 'contact' | 'team', { id }: { id: string }) =>
  fail('legal_hold', {
    detail: 'A legal hold is active; see meta.legal_hold_id.',
    meta: { resource, legal_hold_id: id },
  });
