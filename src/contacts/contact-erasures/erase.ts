import { randomUUID } from 'node:crypto';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Principal } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { contactErased } from '../events.ts';
import { isUuid, partnerKeyOf } from '../../platform/schema/fields.ts';
import { recordAudit } from '../../platform/http/audit.ts';
import type { Trace } from '../../platform/http/trace.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { erasureJob } from '../../../workflows/jobs.ts';
import { openEarlierIdentity } from '../earlier-identities/earlier-identities.ts';
import { deleteEarlierIdentities, listEarlierIdentities } from '../earlier-identities/queries.ts';
import { contactsDeleted } from '../hooks.ts';
import { awaitHolds, refuseHeld } from '../legal-holds/place.ts';
import { contactNotAvailable } from '../not-available.ts';
import { requireContact } from '../queries.ts';
import { deleteTopicConsents } from '../topic-consents/queries.ts';
import { blankContacts, findErasureOf, insertErasure, lockPerson } from './queries.ts';
import type { ErasureRow, Identity } from './queries.ts';

export interface EraseCall {
  sql: Sql;
  teamId: string;
  principal: Principal;
  keyring: Keyring;
  trace: Trace;
}

/** By what copies are found that name no id of the contact. */
export interface SearchedIdentity {
  emails: string[];
  phones: string[];
  keys: string[];
}

/** Seal context of the searched values, which are stored until nothing more is found. */
export function identitySealContext(teamId: string, erasureId: string): string[] {
  return ['contact_erasures', 'identity', teamId, erasureId];
}

/**
 * Erases a contact, which may be archived, and the contacts that were merged into it. After the
 * commit only their ids remain in these tables; a workflow of the team erases the copies. A
 * repeated call returns the first erasure. Throws 404, 409 `legal_hold`, and 410 `contact_merged`.
 */
export async function eraseContact(
  call: EraseCall,
  reference: string,
): Promise<{ erasure: ErasureRow; isNew: boolean }> {
  const { sql, teamId, principal, keyring, trace } = call;
  const id = await idOf(call, reference);
  await awaitHolds(sql, teamId);
  const rows = await lockPerson(sql, teamId, id);
  const contact = rows.find((row) => row.id === id);
  if (!contact) throw contactNotAvailable(undefined);
  const known = await findErasureOf(sql, teamId, id);
  if (known) return { erasure: known, isNew: false };
  if (contact.merged_into_id !== null) throw contactNotAvailable(contact);

  const ids = rows.map((row) => row.id);
  await refuseHeld(sql, teamId, ids);
  const identity = searched(rows, await takeEarlierIdentities(call, ids));
  const erasureId = randomUUID();
  const erasure = await insertErasure(sql, {
    team_id: teamId,
    id: erasureId,
    contact_id: id,
    contact_ids: ids,
    sealed_identity: keyring.seal(JSON.stringify(identity), identitySealContext(teamId, erasureId)),
    requested_by_client_id: principal.clientId === '' ? null : principal.clientId,
  });
  await contactsDeleted(sql, teamId, ids);
  await deleteTopicConsents(sql, teamId, ids);
  const erased_at = await blankContacts(sql, teamId, ids);
  const erased = { id, type: 'contact', team_id: teamId, erased_at };
  recordEvent(sql, {
    teamId,
    type: contactErased,
    data: erased,
    sequence: contact.lock_version + 1,
  });
  recordAudit(sql, {
    action: 'contact.erased',
    principal,
    trace,
    pathId: undefined,
    body: {},
    clean: (row) => row,
    before: undefined,
    after: { id },
  });
  await signalJob(sql, erasureJob, teamId, teamId);
  return { erasure, isNew: true };
}

async function idOf({ sql, teamId }: EraseCall, reference: string): Promise<string> {
  if (partnerKeyOf(reference) === undefined && isUuid(reference)) return reference.toLowerCase();
  return (await requireContact(sql, teamId, reference)).id;
}

interface Earlier {
  kind: 'email' | 'phone' | 'unique_id';
  value: string;
}

/** Moves the earlier identities of the person from their table to the erasure. */
async function takeEarlierIdentities(
  { sql, teamId, keyring }: EraseCall,
  contactIds: readonly string[],
): Promise<Earlier[]> {
  const known = await listEarlierIdentities(sql, teamId, contactIds);
  if (known.length > 0) await deleteEarlierIdentities(sql, teamId, contactIds);
  return known.map((identity) => ({
    kind: identity.kind,
    value: openEarlierIdentity(keyring, teamId, identity),
  }));
}

function searched(rows: readonly Identity[], earlier: readonly Earlier[]): SearchedIdentity {
  const all = (field: Earlier['kind']) => [
    ...new Set([
      ...rows.flatMap((row) => row[field] ?? []),
      ...earlier.filter(({ kind }) => kind === field).map(({ value }) => value),
    ]),
  ];
  return { emails: all('email'), phones: all('phone'), keys: all('unique_id') };
}
