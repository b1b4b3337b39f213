import type { Keyring } from '../../auth/keyring.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Sql } from '../../database/client.ts';
import { changedFields, recordEvent } from '../../events/record.ts';
import { failAll } from '../../http/errors.ts';
import type { Problem } from '../../http/errors.ts';
import { insertConsentChanges } from './consents/queries.ts';
import { Contact } from './contact.ts';
import type { ContactPatch } from './contact.ts';
import { updateContactRow } from './queries.ts';
import type { ContactRow } from './queries.ts';
import { changedConsents, contactProblems, writeContact } from './rules.ts';

/**
 * Writes what a body changes of a contact that is locked, with the history of its consents and the
 * events that tell of it. What changes nothing writes nothing.
 */
export async function changeContact(
  sql: Sql,
  before: ContactRow,
  body: ContactPatch,
  { clientId }: { clientId: string | null },
  keyring: Keyring,
): Promise<ContactRow> {
  const { team_id: teamId, id } = before;
  const content = writeContact(before, body, new Date().toISOString());
  refuse(contactProblems(before, content));
  const birthDate = openBirthDate(before, keyring);
  const isBirthDateKept = body.date_of_birth === undefined || body.date_of_birth === birthDate;
  const changed = Object.keys(changedFields(Contact, before, { ...before, ...content }) ?? {});
  if (isBirthDateKept && changed.length === 0) return before;

  const consents = changedConsents(before.consents, content.consents);
  const isMore = !isBirthDateKept || changed.some((field) => field !== 'consents');
  const events = [
    ...(isMore ? (['contact.updated'] as const) : []),
    ...(consents.length > 0 ? (['contact.consent_changed'] as const) : []),
  ];
  const sealed_date_of_birth = isBirthDateKept
    ? before.sealed_date_of_birth
    : seal(keyring, before, body.date_of_birth ?? null);
  const written = { ...content, sealed_date_of_birth };
  const after = await updateContactRow(sql, teamId, id, written, events.length);
  if (consents.length > 0) await insertConsentChanges(sql, teamId, id, clientId, consents);
  const previous = changedFields(Contact, before, after) ?? {};
  for (const [at, type] of events.entries()) {
    const sequence = before.lock_version + at + 1;
    recordEvent(sql, { teamId, type, data: after, sequence, previous });
  }
  return after;
}

export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw failAll(problems);
}

/** The contact as an answer to this caller, with its date of birth if the token may read it. */
export function details(contact: ContactRow, { scopes }: Principal, keyring: Keyring) {
  if (!scopes.has('partner:contacts_sensitive:read')) return contact;
  return { ...contact, date_of_birth: openBirthDate(contact, keyring) };
}

type Place = Pick<ContactRow, 'team_id' | 'id'>;

const placeOf = ({ team_id, id }: Place) => ['contacts', 'date_of_birth', team_id, id];

export function seal(keyring: Keyring, contact: Place, birthDate: string | null): string | null {
  return birthDate === null ? null : keyring.seal(birthDate, placeOf(contact));
}

function openBirthDate(contact: ContactRow, keyring: Keyring): string | null {
  const { sealed_date_of_birth: sealed } = contact;
  return sealed === null ? null : keyring.open(sealed, placeOf(contact));
}
