import { recordEvent } from '../../platform/events/record.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { legalHoldReleased } from '../events.ts';
import { LegalHold, LegalHoldCreate, legalHoldFields } from './legal-hold.ts';
import { placeHold } from './place.ts';
import { legalHoldSource, lockLegalHold, releaseLegalHold, requireLegalHold } from './queries.ts';

const tag = 'Archive';
const path = '/v2/partner/legal-holds';
const readScope = 'partner:legal_holds:read';
const writeScope = 'partner:legal_holds:write';

export const listLegalHolds = listEndpoint({
  id: 'listLegalHolds',
  path,
  summary: 'List legal holds',
  description: 'Returns the legal holds of the team, also those that were released.',
  tag,
  scope: readScope,
  item: LegalHold,
  fields: legalHoldFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => legalHoldSource(teamId),
});

export const createLegalHold = endpoint({
  id: 'createLegalHold',
  method: 'POST',
  path,
  summary: 'Place a legal hold on a contact or on the whole team',
  description:
    'Places a legal hold on the contact that the body names, or on the team. While it stands, ' +
    'archived messages are not deleted when their term ends, and erasures are refused with ' +
    '409 legal_hold. An erasure that was accepted before is completed. A team has at most 1,000 ' +
    'holds that stand; release them with the operation releaseLegalHold.',
  errors: ['quota_exceeded', 'contact_merged'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  body: LegalHoldCreate,
  status: 201,
  response: LegalHold,
  location: `${path}/{id}`,
  audit: 'legal_hold.placed',
  handle: ({ sql, teamId, principal: { clientId }, body: { reason, contact_id = null } }) =>
    placeHold(sql, teamId, { reason, contact_id, placed_by_client_id: clientId }),
});

export const getLegalHold = endpoint({
  id: 'getLegalHold',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a legal hold',
  description:
    'Returns one legal hold with its reason and state. While it is active, its contact, or each one of the team, cannot be erased. Its reason names nobody and outlives the ' +
    'contact.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: LegalHold,
  handle: ({ sql, teamId, params }) => requireLegalHold(sql, teamId, params.id),
});

export const releaseLegalHoldEndpoint = endpoint({
  id: 'releaseLegalHold',
  method: 'POST',
  path: `${path}/{id}/release`,
  summary: 'Release a legal hold; it stays listed',
  description:
    'Releases a legal hold. Archived messages whose term has ended are then deleted by the next ' +
    'maintenance, and erasures are possible again. A released hold stays as it is. Place a new ' +
    'one to hold again.',
  errors: ['precondition_failed'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  response: LegalHold,
  audit: 'legal_hold.released',
  async handle({ sql, teamId, params, principal: { clientId }, checkPrecondition }) {
    const before = await lockLegalHold(sql, teamId, params.id);
    checkPrecondition(before);
    if (before.released_at !== null) return before;
    const row = await releaseLegalHold(sql, before, clientId);
    recordEvent(sql, { teamId, type: legalHoldReleased, data: row, sequence: row.lock_version });
    return row;
  },
});

export const legalHoldEndpoints = [
  listLegalHolds,
  createLegalHold,
  getLegalHold,
  releaseLegalHoldEndpoint,
];
