import { changeTogether } from '../platform/http/change-together.ts';
import type { Call, Shared } from '../platform/http/endpoint.ts';
import { failAll } from '../platform/http/errors.ts';
import { partnerKeyOf } from '../platform/schema/fields.ts';
import type { ContactPatch } from './contact.ts';
import { changeContact, planChange } from './edit.ts';
import { findContacts, lockContact, lockContacts } from './queries.ts';
import type { ContactRow } from './queries.ts';
import { writeChanges } from './upsert/upsert.ts';

type PatchCall = Pick<
  Call<{ id: string }, undefined, ContactPatch>,
  'params' | 'body' | 'principal' | 'request' | 'checkPrecondition'
>;

/** Changes one contact; throws its errors. */
export async function patchContact(
  { sql, teamId, services: { keyring } }: Shared,
  { params, body, principal, checkPrecondition }: PatchCall,
): Promise<ContactRow> {
  const before = await lockContact(sql, teamId, params.id);
  checkPrecondition(before);
  return changeContact(sql, before, body, principal, keyring);
}

/** Changes contacts by calls of one client. */
export async function patchContacts<One extends PatchCall>(shared: Shared, calls: readonly One[]) {
  const { sql, teamId, services } = shared;
  const { keyring } = services;
  const now = new Date().toISOString();
  const clientId = calls[0]?.principal.clientId ?? null;
  return changeTogether(sql, calls, {
    admits: ({ params, body }: One) =>
      body.unique_id === undefined && partnerKeyOf(params.id) === undefined,
    lock: (ids) => lockContacts(sql, teamId, ids),
    plan(before, { body, principal }) {
      const change = planChange(before, body, keyring, now, principal);
      if ('problems' in change) throw failAll(change.problems);
      return change.events.length > 0 ? change : undefined;
    },
    async write(changes) {
      await writeChanges({ sql, teamId, clientId, keyring }, changes);
      const ids = changes.map(({ before }) => before.id);
      return findContacts(sql, teamId, ids);
    },
    alone: (call) => patchContact(shared, call),
  });
}
