import type { Keyring } from '../platform/auth/keyring.ts';
import type { Principal } from '../platform/auth/principal.ts';
import type { Sql } from '../platform/database/sql.ts';
import { changedFields, recordEvent } from '../platform/events/record.ts';
import { contactConsentChanged, contactUpdated } from './events.ts';
import { failAll } from '../platform/http/errors.ts';
import type { Problem } from '../platform/http/errors.ts';
import { restoreSuppressions } from './suppressions/erased/erased.ts';
import { recordConsentChanges } from './consents/record.ts';
import { Contact } from './contact.ts';
import type { ContactPatch } from './contact.ts';
import { recordEarlierIdentities } from './earlier-identities/earlier-identities.ts';
import { checkMergedKey, updateContactRow } from './queries.ts';
import type { ContactRow } from './queries.ts';
import { blankContact, changedConsents, contactProblems, writeContact } from './rules.ts';
import type { ConsentChange, ContactContent, NewContact } from './rules.ts';

type Stored = Pick<ContactRow, 'team_id' | 'id' | 'sealed_date_of_birth'> & ContactContent;

export type ContactChanged = typeof contactUpdated | typeof contactConsentChanged;

/** A change of a contact that the rules allow. */
interface Change {
  written: NewContact;
  consents: ConsentChange[];
  /** The events of the change; none where nothing changes. */
  events: ContactChanged[];
}

/** Changes that a body makes to a contact, or the problems of the body. */
export function planChange(
  before: Stored,
  body: ContactPatch,
  keyring: Keyring,
  at: string,
): { problems: readonly Problem[] } | Change {
  const content = writeContact(before, body, at);
  const problems = contactProblems(before, content);
  if (problems.length > 0) return { problems };
  const { date_of_birth: birthDate } = body;
  const isBirthDateKept = birthDate === undefined || birthDate === openBirthDate(before, keyring);
  const changed = Object.keys(changedFields(Contact, before, { ...before, ...content }) ?? {});
  const consents = changedConsents(before.consents, content.consents);
  const isMore = !isBirthDateKept || changed.some((field) => field !== 'consents');
  return {
    written: {
      ...content,
      sealed_date_of_birth: isBirthDateKept
        ? before.sealed_date_of_birth
        : seal(keyring, before, birthDate ?? null),
    },
    consents,
    events: [
      ...(isMore ? [contactUpdated] : []),
      ...(consents.length > 0 ? [contactConsentChanged] : []),
    ],
  };
}

/** A new contact as it is written, or what is wrong with it. */
export function planContact(
  place: Place,
  body: ContactPatch,
  keyring: Keyring,
  at: string,
): { problems: readonly Problem[] } | { written: NewContact } {
  const content = writeContact(blankContact, body, at);
  const problems = contactProblems(blankContact, content);
  if (problems.length > 0) return { problems };
  const sealed_date_of_birth = seal(keyring, place, body.date_of_birth ?? null);
  return { written: { ...content, sealed_date_of_birth } };
}

/**
 * Writes what a body changes of a contact that is locked, with the history of its consents and the
 * events of the change. A body without changes writes nothing.
 */
export async function changeContact(
  sql: Sql,
  before: ContactRow,
  body: ContactPatch,
  { clientId }: { clientId: string | null },
  keyring: Keyring,
): Promise<ContactRow> {
  const { team_id: teamId, id } = before;
  const change = planChange(before, body, keyring, new Date().toISOString());
  if ('problems' in change) throw failAll(change.problems);
  const { written, consents, events } = change;
  if (events.length === 0) return before;
  if (written.unique_id !== null && written.unique_id !== before.unique_id) {
    await checkMergedKey(sql, teamId, id, written.unique_id);
  }
  if (written.email !== before.email || written.phone !== before.phone) {
    await restoreSuppressions(sql, keyring, teamId, [written]);
  }
  recordEarlierIdentities(sql, keyring, [{ before, after: written }]);
  const after = await updateContactRow(sql, teamId, id, written, events.length);
  const changes = consents.map((consent) => ({ contactId: id, ...consent }));
  await recordConsentChanges(sql, teamId, clientId, changes);
  const previous = changedFields(Contact, before, after) ?? {};
  for (const [at, type] of events.entries()) {
    const sequence = before.lock_version + at + 1;
    recordEvent(sql, { teamId, type, data: after, sequence, previous });
  }
  return after;
}

/** The contact as an answer to this caller, with its date of birth if the token may read it. */
export function details(contact: ContactRow, { scopes }: Principal, keyring: Keyring) {
  if (!scopes.has('partner:contacts_sensitive:read')) return contact;
  return { ...contact, date_of_birth: openBirthDate(contact, keyring) };
}

/** The sealed date of birth of one contact, sealed for another one. */
export function resealBirthDate(
  keyring: Keyring,
  from: Place & Pick<ContactRow, 'sealed_date_of_birth'>,
  to: Place,
): string | null {
  const { sealed_date_of_birth: sealed } = from;
  return sealed === null ? null : seal(keyring, to, keyring.open(sealed, placeOf(from)));
}

type Place = Pick<ContactRow, 'team_id' | 'id'>;

const placeOf = ({ team_id, id }: Place) => ['contacts', 'date_of_birth', team_id, id];

function seal(keyring: Keyring, contact: Place, birthDate: string | null): string | null {
  return birthDate === null ? null : keyring.seal(birthDate, placeOf(contact));
}

export function openBirthDate(
  contact: Place & Pick<ContactRow, 'sealed_date_of_birth'>,
  keyring: Keyring,
): string | null {
  const { sealed_date_of_birth: sealed } = contact;
  return sealed === null ? null : keyring.open(sealed, placeOf(contact));
}
