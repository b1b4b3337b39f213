import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Principal } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { changedFields, recordEvent, recordEvents } from '../../platform/events/record.ts';
import { accountUpdated, contactConsentChanged, contactMerged, contactUpdated } from '../events.ts';
import { recordAudit } from '../../platform/http/audit.ts';
import type { Trace } from '../../platform/http/trace.ts';
import { createSerializer } from '../../platform/http/response-serializer.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { countAccountsOf } from '../accounts/queries.ts';
import type { AccountRow } from '../accounts/queries.ts';
import { quotaProblems } from '../accounts/rules.ts';
import { formerAddresses } from '../consents/rules.ts';
import { recordConsentChanges } from '../consents/record.ts';
import { Contact } from '../contact.ts';
import { resealBirthDate } from '../edit.ts';
import { contactsMerged } from '../hooks.ts';
import { mergeHolds } from '../legal-holds/queries.ts';
import type { MergedPair } from '../hooks.ts';
import { foldingOf } from '../../platform/database/folded.ts';
import { addressesOf } from '../suppressions/erased/erased.ts';
import { contactNotAvailable } from '../not-available.ts';
import { requireContact, updateContactRow } from '../queries.ts';
import type { ContactRow } from '../queries.ts';
import { changedConsents, contactProblems } from '../rules.ts';
import { changeTopicConsents, keepTopicOptOutsOf } from '../topic-consents/change.ts';
import { deleteTopicConsents, listTopicConsents } from '../topic-consents/queries.ts';
import { mergedTopicConsents } from '../topic-consents/rules.ts';
import {
  mergeConsentStatus,
  lockInAnyStatus,
  markMerged,
  moveAccounts,
  moveChildren,
} from './queries.ts';
import { mergeContent, tagProblems } from './rules.ts';

export interface MergeCall {
  sql: Sql;
  teamId: string;
  principal: Principal;
  keyring: Keyring;
  trace: Trace;
}

const clean = createSerializer(Contact);

/**
 * Merges one contact into another in the caller's transaction: everything of the source is then the
 * winner's, and the source points to it. References are ids or `unique_id:<value>`. Throws 404, 410
 * `contact_merged` and `resource_erased`, and 422 for a source that cannot be merged, or where the
 * two together would break a limit.
 */
export async function mergeContacts(
  call: MergeCall,
  winnerReference: string,
  source: { reference: string; pointer: string },
): Promise<ContactRow> {
  const { sql, teamId } = call;
  const { id: winnerId } = await requireContact(sql, teamId, winnerReference);
  const loserId = await sourceId(call, source);
  if (winnerId === loserId) {
    throw rejectReason(source.pointer, 'same_contact', 'A contact cannot be merged into itself.');
  }
  const rows = await lockInAnyStatus(sql, teamId, [winnerId, loserId]);
  const winner = rows.find(({ id }) => id === winnerId);
  const loser = rows.find(({ id }) => id === loserId);
  if (!winner || winner.status === 'archived') throw contactNotAvailable(winner);
  const isGone = loser && (loser.merged_into_id !== null || loser.erased_at !== null);
  if (loser && isGone) throw contactNotAvailable(loser, { pointer: source.pointer });
  if (!loser || loser.status === 'archived') {
    throw rejectReason(source.pointer, 'reference_not_found', 'The team has no such contact.');
  }
  return join(call, winner, loser);
}

async function sourceId(
  { sql, teamId }: MergeCall,
  { reference }: { reference: string },
): Promise<string> {
  if (!reference.startsWith('unique_id:')) return reference.toLowerCase();
  return (await requireContact(sql, teamId, reference)).id;
}

/** Both are locked and fit. */
async function join(call: MergeCall, winner: ContactRow, loser: ContactRow): Promise<ContactRow> {
  const { sql, teamId, principal, keyring } = call;
  const pair = { winnerId: winner.id, loserId: loser.id };
  const folded = await foldingOf(sql, [winner, loser].flatMap(addressesOf));
  const content = mergeContent(winner, loser, new Date().toISOString(), folded);
  refuse([...contactProblems(winner, content), ...tagProblems(content)]);

  const gone = await markMerged(sql, teamId, pair);
  const moved = await moveAccounts(sql, teamId, pair);
  // The rule expects the count before an account is added.
  refuse(quotaProblems((await countAccountsOf(sql, teamId, winner.id)) - 1));
  await contactsMerged(sql, teamId, pair);
  await moveChildren(sql, teamId, pair);
  await mergeHolds(sql, teamId, pair);
  await mergeConsentStatus(sql, teamId, pair);

  const consents = changedConsents(winner.consents, content.consents);
  const sealed_date_of_birth =
    winner.sealed_date_of_birth ?? resealBirthDate(keyring, loser, winner);
  const types = [contactUpdated, ...(consents.length > 0 ? [contactConsentChanged] : [])];
  const written = { ...content, sealed_date_of_birth };
  const after = await updateContactRow(sql, teamId, winner.id, written, types.length);
  await recordConsentChanges(
    sql,
    teamId,
    principal.clientId,
    consents.map((consent) => ({ contactId: winner.id, ...consent })),
  );
  // The choices of the loser go, so that they are kept for its address.
  const nowhere = { email: null, phone: null };
  const former = formerAddresses(loser, nowhere, folded).map((one) => {
    return { ...one, contactId: loser.id };
  });
  await keepTopicOptOutsOf(sql, teamId, former);
  const topics = await mergeTopicConsents(call, pair, {
    email: content.email === loser.email,
    sms: content.phone === loser.phone,
    push: true,
  });
  publish(call, { winner, after, gone, moved, types });
  audit(call, winner, after);
  audit(call, loser, gone);
  return { ...after, ...topics };
}

/** The new version of the winner, where it takes choices over. */
async function mergeTopicConsents(
  { sql, teamId, principal }: MergeCall,
  pair: MergedPair,
  sharesAddress: Parameters<typeof mergedTopicConsents>[2],
) {
  const stored = await listTopicConsents(sql, teamId, [pair.winnerId, pair.loserId]);
  if (stored.length === 0) return undefined;
  const requested = mergedTopicConsents(stored, pair, sharesAddress);
  const { versions } = await changeTopicConsents(sql, teamId, requested, principal);
  await deleteTopicConsents(sql, teamId, [pair.loserId]);
  return versions.get(pair.winnerId);
}

interface Merged {
  winner: ContactRow;
  after: ContactRow;
  gone: ContactRow;
  moved: readonly AccountRow[];
  types: readonly EventType[];
}

/** The loser first: a client that mirrors contacts can follow it to the winner. */
function publish({ sql, teamId }: MergeCall, { winner, after, gone, moved, types }: Merged): void {
  recordEvent(sql, { teamId, type: contactMerged, data: gone, sequence: gone.lock_version });
  const previous = changedFields(Contact, winner, after) ?? {};
  for (const [at, type] of types.entries()) {
    const sequence = winner.lock_version + at + 1;
    recordEvent(sql, { teamId, type, data: after, sequence, previous });
  }
  recordEvents(
    sql,
    teamId,
    moved.map((account) => ({
      type: accountUpdated,
      data: account,
      sequence: account.lock_version,
      previous: { contact_id: gone.id },
    })),
  );
}

function audit({ sql, principal, trace }: MergeCall, before: ContactRow, after: ContactRow): void {
  const about = { action: 'contact.merged', principal, trace, pathId: undefined, body: {} };
  recordAudit(sql, { ...about, clean, before, after });
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw failAll(problems);
}

function rejectReason(pointer: string, rule: string, detail: string) {
  return fail('validation_failed', { detail, meta: { pointer, rule } });
}
