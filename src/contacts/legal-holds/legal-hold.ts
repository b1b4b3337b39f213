import { Type } from 'typebox';
import { Id, OneOf, Text, Timestamp, createBody, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ListDeclaration } from '../../platform/lists/declaration.ts';

/** Holds that stand in a team at a time. */
export const maxLegalHolds = 1_000;

const statuses = ['active', 'released'] as const;

/** An order to delete nothing of a contact, or of the whole team. */
export const LegalHold = resource('legal_hold', {
  contact_id: Type.Optional(Id('The contact; absent: everything of the team')),
  reason: Text(
    500,
    'For the records of the team; it outlives the contact, so it contains no personal data',
  ),
  status: OneOf(statuses, 'released: it contains nothing any longer'),
  placed_by_client_id: Type.Optional(Id()),
  released_by_client_id: Type.Optional(Id()),
  released_at: Type.Optional(Timestamp()),
});

export type LegalHoldRow = RowOf<typeof LegalHold>;

export const LegalHoldCreate = createBody(LegalHold, ['reason'], ['contact_id']);

export const legalHoldFields: ListDeclaration['fields'] = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  contact_id: { type: 'id', filter: ['eq', 'in', 'missing', 'present'] },
  status: { type: 'enum', values: statuses, filter: ['eq'] },
};
