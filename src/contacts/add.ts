import type { Keyring } from '../platform/auth/keyring.ts';
import type { Sql } from '../platform/database/sql.ts';
import { recordEventsOfTeams } from '../platform/events/record.ts';
import { groupBy } from '../platform/group-by.ts';
import { HttpError, failAll } from '../platform/http/errors.ts';
import type { ContactPatch } from './contact.ts';
import { planContact } from './edit.ts';
import { contactCreated } from './events.ts';
import { insertContacts, refreshEmailStatus, uniqueIdTaken } from './queries.ts';
import type { ContactRow } from './queries.ts';
import { addressesOf, digestsOf, restoreSuppressions } from './suppressions/erased/erased.ts';
import { changeTopicConsents } from './topic-consents/change.ts';
import { findTopicOptOuts } from './topic-consents/queries.ts';

/** A contact to be created for a team, under an id that is new. */
export interface ContactToAdd {
  teamId: string;
  id: string;
  body: ContactPatch;
}

/**
 * Creates contacts of any teams and records their events. Returns for each its row, or its error: the
 * problems of its body, or 409 where its unique_id is in use, also by one before it. An address is
 * suppressed again where it was when its owner was erased.
 */
export async function addContacts<Requested extends ContactToAdd>(
  sql: Sql,
  keyring: Keyring,
  contacts: readonly Requested[],
): Promise<{ requested: Requested; outcome: ContactRow | HttpError }[]> {
  const now = new Date().toISOString();
  const planned = contacts.map((requested) => {
    const { teamId, id, body } = requested;
    const plan = planContact({ team_id: teamId, id }, body, keyring, now);
    const row =
      'problems' in plan ? failAll(plan.problems) : { id, team_id: teamId, ...plan.written };
    return { requested, row };
  });
  const rows = planned.flatMap(({ row }) => (row instanceof HttpError ? [] : [row]));
  const digested = await digestsOf(sql, keyring, rows.flatMap(addressesOf));
  const byAddress = groupBy(digested, ({ address }) => address);
  const digests = rows.flatMap((row) =>
    addressesOf(row)
      .flatMap((address) => byAddress.get(address) ?? [])
      .map(({ digest }) => ({ id: row.id, digest })),
  );
  const inserted = new Map<string, ContactRow>();
  const withTopics: ContactRow[] = [];
  const added = await insertContacts(sql, rows, digests);
  for (const { has_erased_suppression, has_topics, ...row } of added) {
    if (has_topics) withTopics.push(row);
    if (has_erased_suppression) await restoreSuppressions(sql, keyring, row.team_id, [row]);
    const current = has_erased_suppression ? await refreshEmailStatus(sql, row) : row;
    inserted.set(row.id, current);
  }
  const events = [...inserted.values()].map((data) => {
    const { team_id: teamId, lock_version: sequence } = data;
    return { teamId, type: contactCreated, data, sequence };
  });
  recordEventsOfTeams(sql, events);
  const versions = await takeTopicOptOuts(sql, withTopics);
  const outcomes: { requested: Requested; outcome: ContactRow | HttpError }[] = [];
  for (const { requested, row } of planned) {
    if (row instanceof HttpError) outcomes.push({ requested, outcome: row });
    else {
      const created = inserted.get(row.id);
      outcomes.push({
        requested,
        outcome: created
          ? { ...created, ...versions.get(row.id) }
          : await uniqueIdTaken(sql, row.team_id, row.unique_id),
      });
    }
  }
  return outcomes;
}

/** Opt-outs of those who have or had the addresses of new contacts; returns the versions after them. */
async function takeTopicOptOuts(
  sql: Sql,
  contacts: readonly ContactRow[],
): Promise<ReadonlyMap<string, Pick<ContactRow, 'lock_version' | 'updated_at'>>> {
  const all = new Map<string, Pick<ContactRow, 'lock_version' | 'updated_at'>>();
  for (const [teamId, own] of groupBy(contacts, ({ team_id }) => team_id)) {
    const optOuts = await findTopicOptOuts(sql, teamId, own);
    const { versions } = await changeTopicConsents(sql, teamId, optOuts, { clientId: null });
    for (const [id, version] of versions) all.set(id, version);
  }
  return all;
}

/** As addContacts, for one contact; throws its error. */
export async function addContact(
  sql: Sql,
  keyring: Keyring,
  contact: ContactToAdd,
): Promise<ContactRow> {
  const [added] = await addContacts(sql, keyring, [contact]);
  if (!added) throw new Error('one contact was to be added');
  if (added.outcome instanceof HttpError) throw added.outcome;
  return added.outcome;
}
