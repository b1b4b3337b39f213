import type { Keyring } from '../platform/auth/keyring.ts';
import type { Principal } from '../platform/auth/principal.ts';
import { foldingOf } from '../platform/database/folded.ts';
import type { Sql } from '../platform/database/sql.ts';
import { changedFields, recordEvent } from '../platform/events/record.ts';
import { groupBy } from '../platform/group-by.ts';
import { inStoredForm } from '../platform/schema/email.ts';
import { contactConsentChanged, contactUpdated } from './events.ts';
import { failAll } from '../platform/http/errors.ts';
import type { Problem } from '../platform/http/errors.ts';
import { addressesOf, restoreSuppressions } from './suppressions/erased/erased.ts';
import { formerAddresses, isOptOut, withOptOuts, withoutFormer } from './consents/rules.ts';
import { findOptOuts, keepFormerOptOuts } from './consents/queries.ts';
import { recordConsentChanges } from './consents/record.ts';
import { changeTopicConsents, keepTopicOptOutsOf } from './topic-consents/change.ts';
import { findTopicOptOuts } from './topic-consents/queries.ts';
import type { RequestedTopicConsent } from './topic-consents/rules.ts';
import { Contact } from './contact.ts';
import type { Consents, ContactPatch } from './contact.ts';
import { recordEarlierIdentities } from './earlier-identities/earlier-identities.ts';
import { checkMergedKey, updateContactRow } from './queries.ts';
import type { ContactRow } from './queries.ts';
import {
  blankContact,
  changedConsents,
  consentChannels,
  contactProblems,
  writeContact,
} from './rules.ts';
import type { ConsentChange, ContactContent, NewContact } from './rules.ts';

const sensitiveScope = 'partner:contacts_sensitive:read';

type Stored = Pick<ContactRow, 'team_id' | 'id' | 'sealed_date_of_birth'> & ContactContent;

export type ContactChanged = typeof contactUpdated | typeof contactConsentChanged;

/** A change of a contact that the rules allow. */
interface Change {
  written: NewContact;
  consents: ConsentChange[];
  /** The events of the change; none where nothing changes. */
  events: ContactChanged[];
  /** Opt-outs from topics that the new addresses have. */
  topicOptOuts: readonly RequestedTopicConsent[];
  /** Channels whose consent the body says, changed or not. */
  stated: readonly (keyof Consents)[];
}

/** Who changes a contact; the service itself has no scopes, and compares everything. */
export interface Writer {
  clientId: string | null;
  scopes?: ReadonlySet<string>;
}

/**
 * Changes that a body makes to a contact, or the problems of the body. From a client that may not
 * read the date of birth, each date is a change: it must not find out which one is right.
 */
export function planChange(
  before: Stored,
  body: ContactPatch,
  keyring: Keyring,
  at: string,
  { scopes }: Pick<Writer, 'scopes'>,
): { problems: readonly Problem[] } | Change {
  const content = writeContact(before, withStoredEmail(body), at);
  const problems = contactProblems(before, content);
  if (problems.length > 0) return { problems };
  const { date_of_birth: birthDate } = body;
  const mayCompare = scopes?.has(sensitiveScope) ?? true;
  const isBirthDateKept =
    birthDate === undefined || (mayCompare && birthDate === openBirthDate(before, keyring));
  const changed = Object.keys(changedFields(Contact, before, { ...before, ...content }) ?? {});
  const consents = changedConsents(before.consents, content.consents);
  const isMore = !isBirthDateKept || changed.some((field) => field !== 'consents');
  return {
    topicOptOuts: [],
    stated: consentChannels.filter((channel) => body.consents?.[channel] !== undefined),
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

const withStoredEmail = (body: ContactPatch): ContactPatch =>
  typeof body.email === 'string' ? { ...body, email: inStoredForm(body.email) } : body;

/** A new contact as it is written, or what is wrong with it. */
export function planContact(
  place: Place,
  body: ContactPatch,
  keyring: Keyring,
  at: string,
): { problems: readonly Problem[] } | { written: NewContact } {
  const content = writeContact(blankContact, withStoredEmail(body), at);
  const problems = contactProblems(blankContact, content);
  if (problems.length > 0) return { problems };
  const sealed_date_of_birth = seal(keyring, place, body.date_of_birth ?? null);
  return { written: { ...content, sealed_date_of_birth } };
}

/**
 * Prepares changes that give contacts another address or number. For the former one, a consent ends,
 * and an opt-out is kept for those that get the address later. For the new one, suppressions of
 * erased contacts hold again, and so do opt-outs of its recipient. Returns all changes, with these
 * consents.
 */
export async function applyAddresses<Planned extends { before: ContactRow; plan: Change }>(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  changes: readonly Planned[],
): Promise<readonly Planned[]> {
  const addresses = changes.flatMap(({ before: { id, email, phone }, plan: { written } }) =>
    written.email === email && written.phone === phone
      ? []
      : {
          id,
          email: written.email === email ? null : written.email,
          phone: written.phone === phone ? null : written.phone,
        },
  );
  if (addresses.length === 0) return changes;
  await restoreSuppressions(sql, keyring, teamId, addresses);
  const optOuts = await findOptOuts(sql, teamId, addresses);
  const topicOptOuts = groupBy(
    await findTopicOptOuts(sql, teamId, addresses),
    (one) => one.contact_id,
  );
  const all = changes.flatMap(({ before, plan }) => [before, plan.written].flatMap(addressesOf));
  const folded = await foldingOf(sql, all);
  const at = new Date().toISOString();
  const former = changes.map(({ before, plan }) => formerAddresses(before, plan.written, folded));
  const lost = changes.flatMap(({ before: { id: contactId, consents } }, place) =>
    (former[place] ?? []).map(({ channel, address }) => {
      return { contactId, channel, address, consent: consents[channel] };
    }),
  );
  const left = lost.filter(({ consent }) => isOptOut(consent));
  await keepFormerOptOuts(sql, teamId, left);
  await keepTopicOptOutsOf(sql, teamId, lost);
  return changes.map((one, place) => {
    const { before, plan } = one;
    const own = withoutFormer(plan.written.consents, former[place] ?? [], plan.stated);
    const kept = withOptOuts(before.consents, own, optOuts.get(before.id) ?? {}, at);
    const consents = changedConsents(before.consents, kept);
    const others = plan.events.filter((type) => type !== contactConsentChanged);
    const events = consents.length > 0 ? [...others, contactConsentChanged] : others;
    return {
      ...one,
      plan: {
        ...plan,
        ...{ written: { ...plan.written, consents: kept }, consents, events },
        topicOptOuts: topicOptOuts.get(before.id) ?? [],
      },
    };
  });
}

/**
 * Writes what a body changes of a contact that is locked, with the history of its consents and the
 * events of the change. A body without changes writes nothing.
 */
export async function changeContact(
  sql: Sql,
  before: ContactRow,
  body: ContactPatch,
  writer: Writer,
  keyring: Keyring,
): Promise<ContactRow> {
  const { team_id: teamId, id } = before;
  const planned = planChange(before, body, keyring, new Date().toISOString(), writer);
  if ('problems' in planned) throw failAll(planned.problems);
  if (planned.events.length === 0) return before;
  const [change] = await applyAddresses(sql, keyring, teamId, [{ before, plan: planned }]);
  const { written, consents, events, topicOptOuts } = change?.plan ?? planned;
  if (written.unique_id !== null && written.unique_id !== before.unique_id) {
    await checkMergedKey(sql, teamId, id, written.unique_id);
  }
  recordEarlierIdentities(sql, keyring, [{ before, after: written }]);
  const after = await updateContactRow(sql, teamId, id, written, events.length);
  const changes = consents.map((consent) => ({ contactId: id, ...consent }));
  await recordConsentChanges(sql, teamId, writer.clientId, changes);
  const previous = changedFields(Contact, before, after) ?? {};
  for (const [at, type] of events.entries()) {
    const sequence = before.lock_version + at + 1;
    recordEvent(sql, { teamId, type, data: after, sequence, previous });
  }
  const { versions } = await changeTopicConsents(sql, teamId, topicOptOuts, { clientId: null });
  return { ...after, ...versions.get(id) };
}

/** The contact as an answer to this caller, with its date of birth if the token may read it. */
export function details(contact: ContactRow, { scopes }: Principal, keyring: Keyring) {
  if (!scopes.has(sensitiveScope)) return contact;
  return { ...contact, date_of_birth: openBirthDate(contact, keyring) };
}

/**
 * A new contact as an answer to its creator. Who may not read contacts gets the consents and the
 * status of the address as if the team had never met that address.
 */
export function detailsOfNew(contact: ContactRow, principal: Principal, keyring: Keyring) {
  const shown = details(contact, principal, keyring);
  if (principal.scopes.has('partner:contacts:read')) return shown;
  const { consents } = blankContact;
  return { ...shown, consents, email_status: 'unknown' as const, status: 'active' as const };
}

/** The sealed date of birth of one contact, sealed for another one. */
export function resealBirthDate(
  keyring: Keyring,
  from: Place & Pick<ContactRow, 'sealed_date_of_birth'>,
  to: Place,
): string | null {
  const { sealed_date_of_birth: sealed } = from;
  return sealed === null ? null : seal(keyring, to, keyring.open(sealed, sealContextOf(from)));
}

type Place = Pick<ContactRow, 'team_id' | 'id'>;

const sealContextOf = ({ team_id, id }: Place) => ['contacts', 'date_of_birth', team_id, id];

function seal(keyring: Keyring, contact: Place, birthDate: string | null): string | null {
  return birthDate === null ? null : keyring.seal(birthDate, sealContextOf(contact));
}

export function openBirthDate(
  contact: Place & Pick<ContactRow, 'sealed_date_of_birth'>,
  keyring: Keyring,
): string | null {
  const { sealed_date_of_birth: sealed } = contact;
  return sealed === null ? null : keyring.open(sealed, sealContextOf(contact));
}
