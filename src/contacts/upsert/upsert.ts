import { randomUUID } from 'node:crypto';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields, recordEvents, subscribedTypes } from '../../platform/events/record.ts';
import { contactConsentChanged, contactCreated, contactUpdated } from '../events.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { withoutLifts } from '../consents/rules.ts';
import { restoreSuppressions } from '../suppressions/erased/erased.ts';
import { recordConsentChanges } from '../consents/record.ts';
import { recordEarlierIdentities } from '../earlier-identities/earlier-identities.ts';
import { changeTopicConsents } from '../topic-consents/change.ts';
import { findTopicOptOuts } from '../topic-consents/queries.ts';
import { Contact } from '../contact.ts';
import type { ContactPatch, ContactUpsert } from '../contact.ts';
import { applyAddresses, planChange, planContact } from '../edit.ts';
import type { Writer } from '../edit.ts';
import { findContacts } from '../queries.ts';
import type { ContactRow } from '../queries.ts';
import { insertNewContacts, lockContactsByKey, updateContacts } from './queries.ts';
import type { ContactToWrite } from '../writing/queries.ts';

export type Upserted =
  | { status: 'created' | 'updated' | 'unchanged'; id: string }
  | { status: 'failed'; errors: readonly Problem[] };

interface UpsertCall extends Writer {
  sql: Sql;
  teamId: string;
  keyring: Keyring;
}

/** A change of a contact that the rules allow. */
export type PlannedChange = Exclude<
  ReturnType<typeof planChange>,
  { problems: readonly Problem[] }
>;
interface Requested {
  at: number;
  body: ContactUpsert;
}

/**
 * Creates or changes contacts by the partner's own key under the rules of createContact and
 * updateContact. Returns the outcomes in the order of the bodies. If a key occurs twice, the later
 * body is applied to the result of the earlier one. A contact with problems stays unchanged.
 */
export async function upsertContacts(
  call: UpsertCall,
  bodies: readonly ContactUpsert[],
): Promise<Upserted[]> {
  const outcomes: Upserted[] = new Array<Upserted>(bodies.length);
  let open: Requested[] = bodies.map((body, at) => ({ at, body }));
  while (open.length > 0) {
    const wave = new Map<string, Requested>();
    const later: Requested[] = [];
    for (const requested of open) {
      if (wave.has(requested.body.unique_id)) later.push(requested);
      else wave.set(requested.body.unique_id, requested);
    }
    const overtaken = await upsertWave(call, wave, outcomes);
    open = [...overtaken, ...later];
  }
  return outcomes;
}

/** Each key once. Returns those whose contact somebody else, or the wave itself, has just written. */
async function upsertWave(
  call: UpsertCall,
  wave: ReadonlyMap<string, Requested>,
  outcomes: Upserted[],
): Promise<Requested[]> {
  const { sql, teamId, keyring } = call;
  const locked = await lockContactsByKey(sql, teamId, [...wave.keys()]);
  const known = new Map(locked.flatMap((row) => row.keys.map((key) => [key, row])));
  const named = new Set<ContactRow>();
  const later: Requested[] = [];
  const now = new Date().toISOString();

  const created: { requested: Requested; row: ContactToWrite }[] = [];
  const changed: { before: ContactRow; plan: PlannedChange }[] = [];
  for (const [key, requested] of wave) {
    const { at, body } = requested;
    const before = known.get(key);
    if (before && named.has(before)) {
      // Two keys of one person, since there was a merger.
      later.push(requested);
    } else if (before) {
      named.add(before);
      const patch = {
        ...body,
        ...(key !== before.unique_id && { unique_id: undefined }),
        ...(body.consents && { consents: withoutLifts(before.consents, body.consents) }),
      };
      const plan = planChange(before, patch, keyring, now, call);
      if ('problems' in plan) outcomes[at] = { status: 'failed', errors: plan.problems };
      else if (plan.events.length === 0) outcomes[at] = { status: 'unchanged', id: before.id };
      else {
        outcomes[at] = { status: 'updated', id: before.id };
        changed.push({ before, plan });
      }
    } else {
      const id = randomUUID();
      const plan = planContact({ team_id: teamId, id }, body, keyring, now);
      if ('problems' in plan) outcomes[at] = { status: 'failed', errors: plan.problems };
      else created.push({ requested, row: { id, team_id: teamId, ...plan.written } });
    }
  }
  await writeChanges(call, changed);
  return [...(await create(call, created, outcomes)), ...later];
}

async function create(
  { sql, teamId, keyring }: UpsertCall,
  contacts: readonly { requested: Requested; row: ContactToWrite }[],
  outcomes: Upserted[],
): Promise<Requested[]> {
  if (contacts.length === 0) return [];
  const rows = contacts.map(({ row }) => row);
  await restoreSuppressions(sql, keyring, teamId, rows);
  // The other queries are sent together with the insert and run after it.
  const [inserted, subscribed, optOuts] = await Promise.all([
    insertNewContacts(sql, rows),
    subscribedTypes(sql, teamId, [contactCreated]),
    findTopicOptOuts(sql, teamId, rows),
  ]);
  if (subscribed.size > 0) {
    const made = await findContacts(sql, teamId, [...inserted]);
    const events = made.map((data) => ({
      type: contactCreated,
      data,
      sequence: data.lock_version,
    }));
    recordEvents(sql, teamId, events);
  }
  const begun = optOuts.filter(({ contact_id }) => inserted.has(contact_id));
  await changeTopicConsents(sql, teamId, begun, { clientId: null });
  const overtaken: Requested[] = [];
  for (const { requested, row } of contacts) {
    if (inserted.has(row.id)) outcomes[requested.at] = { status: 'created', id: row.id };
    else overtaken.push(requested);
  }
  return overtaken;
}

/**
 * Changes contacts that are locked, set by set; where one stands twice, the later body meets what
 * the earlier one wrote. A contact that the rules refuse to change is left as it is.
 */
export async function changeContacts(
  call: UpsertCall,
  changes: readonly { contact: ContactRow; body: ContactPatch }[],
): Promise<Upserted[]> {
  const { sql, teamId, keyring } = call;
  const outcomes = new Array<Upserted>(changes.length);
  let rows = new Map(changes.map(({ contact }) => [contact.id, contact]));
  let open = changes.map(({ contact: { id }, body }, at) => ({ at, id, body }));
  while (open.length > 0) {
    const now = new Date().toISOString();
    const planned = new Map<string, { before: ContactRow; plan: PlannedChange }>();
    const later: typeof open = [];
    for (const requested of open) {
      const { at, id, body } = requested;
      const before = rows.get(id);
      if (!before) throw new Error('a contact that is locked is gone');
      if (planned.has(id)) {
        later.push(requested);
        continue;
      }
      const plan = planChange(before, body, keyring, now, call);
      if ('problems' in plan) outcomes[at] = { status: 'failed', errors: plan.problems };
      else if (plan.events.length === 0) outcomes[at] = { status: 'unchanged', id };
      else {
        outcomes[at] = { status: 'updated', id };
        planned.set(id, { before, plan });
      }
    }
    await writeChanges(call, [...planned.values()]);
    open = later;
    if (open.length === 0) break;
    const again = await findContacts(
      sql,
      teamId,
      open.map(({ id }) => id),
    );
    rows = new Map(again.map((row) => [row.id, row]));
  }
  return outcomes;
}

/** Writes changes of contacts that are locked and keep their unique_id, and records their events. */
export async function writeChanges(
  { sql, teamId, clientId, keyring }: UpsertCall,
  planned: readonly { before: ContactRow; plan: PlannedChange }[],
): Promise<void> {
  if (planned.length === 0) return;
  const contacts = await applyAddresses(sql, keyring, teamId, planned);
  const rows = contacts.map(({ before, plan }) => ({
    id: before.id,
    team_id: teamId,
    ...plan.written,
    events: plan.events.length,
  }));
  const consents = contacts.flatMap(({ before, plan }) =>
    plan.consents.map((consent) => ({ contactId: before.id, ...consent })),
  );
  const identified = contacts.map(({ before, plan }) => ({ before, after: plan.written }));
  recordEarlierIdentities(sql, keyring, identified);
  const [, subscribed] = await Promise.all([
    updateContacts(sql, teamId, rows),
    subscribedTypes(sql, teamId, [contactUpdated, contactConsentChanged]),
  ]);
  await recordConsentChanges(sql, teamId, clientId, consents);
  const leaving = contacts.flatMap(({ plan }) => plan.topicOptOuts);
  if (subscribed.size === 0) {
    await changeTopicConsents(sql, teamId, leaving, { clientId: null });
    return;
  }
  const ids = contacts.map(({ before }) => before.id);
  const after = new Map((await findContacts(sql, teamId, ids)).map((row) => [row.id, row]));
  const events = contacts.flatMap(({ before, plan }) => {
    const data = after.get(before.id);
    if (!data) return [];
    const { account_count, open_journey_count } = data;
    const was = { ...before, account_count, open_journey_count };
    const previous = changedFields(Contact, was, data) ?? {};
    return plan.events.flatMap((type, at) =>
      subscribed.has(type)
        ? [{ type, data, sequence: before.lock_version + at + 1, previous }]
        : [],
    );
  });
  recordEvents(sql, teamId, events);
  await changeTopicConsents(sql, teamId, leaving, { clientId: null });
}
