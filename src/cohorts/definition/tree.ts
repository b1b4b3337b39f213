/** A rule tree as it was read: what the predicate, the explanation and the tests are made from. */

export const groupOps = ['all', 'any', 'none'] as const;

export type Rule = Group | Leaf;

export interface Group {
  op: (typeof groupOps)[number];
  rules: readonly Rule[];
}

export type Leaf =
  | { leaf: 'field'; field: FieldTest }
  | { leaf: 'account'; match: 'any' | 'none'; where: readonly FieldTest[]; count?: CountTest }
  | { leaf: 'objective'; by: 'id' | 'key'; value: string; completed: boolean; within?: Duration }
  | {
      leaf: 'event';
      kind: string;
      where: readonly FieldTest[];
      times: CountTest;
      within?: Duration;
    }
  | { leaf: 'cohort'; id: string; member: boolean }
  | { leaf: 'journey'; templateId: string; statuses: readonly string[] }
  | { leaf: 'consent'; channel: 'email' | 'sms' | 'push'; status: string }
  | { leaf: 'topic_consent'; topicId: string; channel: 'email' | 'sms' | 'push'; status: string }
  | { leaf: 'random'; percent: number; salt: string };

export const fieldKinds = [
  'text',
  'address',
  'timestamp',
  'number',
  'boolean',
  'id',
  'texts',
  'attribute',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** A comparison of one field of a row. A missing value makes it false for every operator. */
export interface FieldTest {
  /** As the definition writes it, without the name of its table. */
  name: string;
  kind: FieldKind;
  /** Name of a custom attribute. */
  key?: string;
  op: FieldOp;
  /** One value, the values of a list, or none. */
  values: readonly Value[];
}
export type Value = string | number | boolean;

export const fieldOps = [
  'eq',
  'neq',
  'in',
  'nin',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'starts_with',
  'ends_with',
  'present',
  'missing',
  'within_last',
  'not_within_last',
  'older_than',
  'in_next',
  'anniversary_in_next',
] as const;
export type FieldOp =
  | 'eq'
  | 'neq'
  | 'in'
  | 'nin'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  | 'present'
  | 'missing'
  | 'within_last'
  | 'not_within_last'
  | 'older_than'
  | 'in_next'
  | 'anniversary_in_next';

export const countOps = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte'] as const;
export interface CountTest {
  op: (typeof countOps)[number];
  value: number;
}

/** ISO 8601, of whole units: P30D, PT12H, P1Y6M, P2W. */
export type Duration = string;
