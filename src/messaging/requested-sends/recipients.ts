import { randomUUID } from 'node:crypto';
import { addContacts } from '../../contacts/add.ts';
import { findReferred } from '../../contacts/lookup/contact-reference.ts';
import type { Referred } from '../../contacts/lookup/contact-reference.ts';
import { findContactsWith } from '../../contacts/lookup/queries.ts';
import type { ContactAsked } from '../../contacts/lookup/queries.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { inStoredForm } from '../../platform/schema/email.ts';
import { lockAddresses } from './queries.ts';
import type { SendRequest } from './send-request.ts';

type Field = 'email' | 'phone';
const names = ['contact_id', 'contact_unique_id', 'email', 'phone'] as const;

/** The id of a recipient, or the problems of the request. */
export type Found = { contactId: string } | { problems: readonly Problem[] };

interface Call {
  sql: Sql;
  teamId: string;
  keyring: Keyring;
}

/** Finds the contacts of requests, and creates one for each address that no contact has. */
export async function findRecipients(
  call: Call,
  requests: readonly SendRequest[],
): Promise<Found[]> {
  const { sql, teamId } = call;
  const referring = requests.filter(({ email, phone }) => (email ?? phone) === undefined);
  const referred = await findReferred(sql, teamId, referring, { isLocked: false });
  const byRequest = new Map(referring.map((request, at) => [request, referred[at]]));
  const addressed = requests.filter((request) => namesOf(request).length === 1);
  const byAddress = {
    email: await contactsOf(call, 'email', addressed),
    phone: await contactsOf(call, 'phone', addressed),
  };
  return requests.map((request) => {
    const known = byRequest.get(request);
    if (known) return foundBy(known);
    const [, second] = namesOf(request);
    if (second !== undefined) {
      return refused(second, 'exclusive', `Send one of ${names.join(', ')}.`);
    }
    const field = request.email === undefined ? 'phone' : 'email';
    return byAddress[field].get(addressOf(field, request) ?? '') ?? { problems: [] };
  });
}

const namesOf = (request: SendRequest) => names.filter((name) => request[name] !== undefined);

const foundBy = (referred: Referred): Found =>
  'contact' in referred ? { contactId: referred.contact.id } : referred;

function addressOf(field: Field, { email, phone }: SendRequest): string | undefined {
  return field === 'email' && email !== undefined ? inStoredForm(email) : phone;
}

/** The contact of each address; an address of several contacts names none of them. */
async function contactsOf(
  { sql, teamId, keyring }: Call,
  field: Field,
  requests: readonly SendRequest[],
): Promise<Map<string, Found>> {
  const named = requests.filter((request) => request[field] !== undefined);
  const addresses = [...new Set(named.flatMap((request) => addressOf(field, request) ?? []))];
  const found = new Map<string, Found>();
  const note = (contacts: readonly ContactAsked[]) => {
    for (const { id, asked: address } of contacts) {
      found.set(address, found.has(address) ? ambiguous(field) : { contactId: id });
    }
  };
  note(await findContactsWith(sql, teamId, field, addresses, 2));
  const isNew = (address: string) => !found.has(address);
  if (!addresses.some(isNew)) return found;
  const unknown = addresses.filter(isNew);
  const firsts = await lockAddresses(sql, teamId, unknown);
  // Another request may have created a contact before the lock was granted.
  note(await findContactsWith(sql, teamId, field, unknown, 2));
  const created = unknown
    .filter((address) => isNew(address) && firsts.get(address) === address)
    .map((address) => ({ teamId, id: randomUUID(), address, body: { [field]: address } }));
  for (const { requested, outcome } of await addContacts(sql, keyring, created)) {
    const added =
      outcome instanceof HttpError ? { problems: outcome.problems } : { contactId: outcome.id };
    found.set(requested.address, added);
  }
  for (const [address, first] of firsts) {
    const same = found.get(first);
    if (same && isNew(address)) found.set(address, same);
  }
  return found;
}

function ambiguous(field: Field): Found {
  const detail = `Several contacts have this ${field}. Name one by contact_id.`;
  return refused(field, 'ambiguous', detail);
}

function refused(field: string, rule: string, detail: string): Found {
  const meta = { pointer: `/${field}`, rule };
  return { problems: [{ code: 'validation_failed', detail, meta }] };
}
