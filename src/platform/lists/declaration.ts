export const operators = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'nin',
  'contains',
  'starts_with',
  'ends_with',
  'present',
  'missing',
] as const;
export type Operator = (typeof operators)[number];

const equality = ['eq', 'neq', 'in', 'nin', 'present', 'missing'] as const;
const text = [...equality, 'contains', 'starts_with', 'ends_with'] as const;
const ordered = [...equality, 'lt', 'lte', 'gt', 'gte'] as const;
const array = ['eq', 'contains', 'present', 'missing'] as const;

/** Types of fields: their operators, unless the declaration narrows them, and their SQL types. */
export const fieldTypes = {
  id: { operators: equality, sqlType: 'uuid' },
  text: { operators: text, sqlType: 'text' },
  enum: { operators: equality, sqlType: 'text' },
  timestamp: { operators: ordered, sqlType: 'timestamptz' },
  date: { operators: ordered, sqlType: 'date' },
  integer: { operators: ordered, sqlType: 'bigint' },
  boolean: { operators: ['eq', 'neq', 'present', 'missing'], sqlType: 'boolean' },
  id_array: { operators: array, sqlType: 'uuid' },
  text_array: { operators: array, sqlType: 'text' },
  /** One scalar of a jsonb object, compared as text; its name ends in ".<key>". */
  attribute: { operators: text, sqlType: 'text' },
} as const satisfies Record<string, { operators: readonly Operator[]; sqlType: string }>;

export interface ListField {
  type: keyof typeof fieldTypes;
  /** SQL expression, `t.<name>` unless given. A sortable one must be selected under its name. */
  column?: string;
  /**
   * Rows in which `column` is searched, as "<table> where <join>". The filter is true if any of
   * them matches; `neq` and `nin` are true if none does. For to-many relations such as the cohorts
   * of a contact.
   */
  through?: string;
  /**
   * True: holds e-mail addresses or domains. Every operator compares their stored form, regardless
   * of case.
   */
  isAddress?: true;
  /** The values of an enum. */
  values?: readonly string[];
  /** Further values of an enum, which partners name. */
  otherValues?: RegExp;
  /** True: every operator of the type. */
  filter?: true | readonly Operator[];
  sort?: boolean;
  /** Whether a sortable field can be null; to sort by one that can and is not so marked throws. */
  nullable?: boolean;
}

/** The whitelists of a list: everything its query string may name. */
export interface ListDeclaration {
  /** By wire name; a name that ends in ".<key>" stands for every key of a jsonb object. */
  fields: Readonly<Record<string, ListField>>;
  /** In the form of the `sort` parameter. */
  defaultSort: string;
  /** Rows; 100 unless given. */
  maxPageSize?: number;
  includes?: readonly string[];
}

const defaultPageSize = 25;
const anyKey = '.<key>';
const keyPattern = /^[a-z][a-z0-9_]{0,63}$/;

export const pageSizes = (list: ListDeclaration) => {
  const max = list.maxPageSize ?? 100;
  return { max, default: Math.min(defaultPageSize, max) };
};

/** Operators of the field in filters; none if it is no filter. */
export function operatorsOf(field: ListField): readonly Operator[] {
  if (field.filter === undefined) return [];
  if (field.filter !== true) return field.filter;
  return field.through === undefined ? fieldTypes[field.type].operators : equality;
}

/** Finds a filter by its wire name; `key` is the key of a jsonb object, never part of SQL text. */
export function findFilterField(
  list: ListDeclaration,
  name: string,
): { field: ListField; key?: string } | undefined {
  const exact = ownField(list, name);
  if (exact && exact.type !== 'attribute') return exact.filter && { field: exact };
  const dot = name.indexOf('.');
  const field = dot > 0 ? ownField(list, name.slice(0, dot) + anyKey) : undefined;
  const key = name.slice(dot + 1);
  return field?.filter && keyPattern.test(key) ? { field, key } : undefined;
}

export function findSortField(list: ListDeclaration, name: string): ListField | undefined {
  const field = ownField(list, name);
  return field?.sort ? field : undefined;
}

export const filterNames = (list: ListDeclaration) =>
  Object.keys(list.fields).filter((name) => list.fields[name]?.filter !== undefined);

export const sortNames = (list: ListDeclaration) =>
  Object.keys(list.fields).filter((name) => list.fields[name]?.sort);

// Names come from the query string: "constructor" and "__proto__" are no fields.
function ownField(list: ListDeclaration, name: string): ListField | undefined {
  return Object.hasOwn(list.fields, name) ? list.fields[name] : undefined;
}
