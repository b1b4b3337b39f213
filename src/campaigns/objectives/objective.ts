import { Type } from 'typebox';
import { Count, OneOf, Text, Timestamp, maxCents, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';

export const objectiveCategories = [
  'cards',
  'deposits',
  'digital_banking',
  'payments',
  'lending',
  'communication',
  'business',
  'other',
] as const;

export const Objective = resource('objective', {
  name: Text(120),
  key: Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    maxLength: 64,
    description: 'Unique in the team, and fixed: kebab-case',
  }),
  description: Type.Optional(Text(2_000)),
  category: OneOf([...objectiveCategories]),
  value_cents: Type.Integer({
    minimum: 0,
    maximum: maxCents,
    description: 'Value credited for each completion, in cents of the team’s currency',
  }),
  attribution_window_days: Type.Integer({ minimum: 1, maximum: 365 }),
  attribution_model: OneOf(['any_touch', 'last_touch']),
  is_repeatable: Type.Boolean({ description: 'Whether a contact can complete it more than once' }),
  product_kind: Type.Optional(
    OneOf(
      ['deposit', 'loan', 'credit', 'investment', 'other'],
      'Completed by itself when an account of this kind opens within the window',
    ),
  ),
  is_standard: Type.Boolean({ description: 'One of those that every team has from the start' }),
  is_active: Type.Boolean({ description: 'Whether it can be completed' }),
  completion_count: Count(),
  archived_at: Type.Optional(Timestamp()),
});
export type ObjectiveRow = RowOf<typeof Objective>;

/** Objectives at most of a team. */
export const maxObjectives = 500;

/** Those that every team has from the start. */
export const standardObjectives = [
  { key: 'debit-card-activation', name: 'Debit card activation', category: 'cards' },
  { key: 'direct-deposit', name: 'Direct deposit', category: 'deposits' },
  { key: 'online-bill-pay', name: 'Online bill pay', category: 'payments' },
  { key: 'online-banking', name: 'Online banking', category: 'digital_banking' },
  { key: 'mobile-banking', name: 'Mobile banking', category: 'digital_banking' },
  { key: 'estatements', name: 'E-statements', category: 'digital_banking' },
  { key: 'open-cross-sell-account', name: 'Open a further account', category: 'deposits' },
  { key: 'corporate-card-activation', name: 'Corporate card activation', category: 'business' },
  { key: 'merchant-access', name: 'Merchant access', category: 'business' },
  { key: 'ach-payroll', name: 'ACH payroll', category: 'business' },
  { key: 'remote-deposit', name: 'Remote deposit', category: 'business' },
  { key: 'automate-payments', name: 'Automate payments', category: 'payments' },
] as const satisfies readonly {
  key: string;
  name: string;
  category: (typeof objectiveCategories)[number];
}[];
