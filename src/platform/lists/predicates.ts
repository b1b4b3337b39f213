import { fieldTypes } from './declaration.ts';
import type { Filter } from './parse-filters.ts';
import { arrayLiteral, type Bind } from './statement.ts';

/**
 * The condition of one filter. `neq` and `nin` include nulls; `present` and `missing` are exact
 * complements, and an empty array is missing. Text is compared regardless of case by `contains`,
 * `starts_with` and `ends_with`, and addresses by all operators: by folded(<column>), which an index
 * must repeat. `ends_with` searches the start of the reversed text, since a btree supports that.
 */
export function filterPredicate(filter: Filter, bind: Bind): string {
  const { field, operator, values } = filter;
  if (field.through === undefined) return onColumn(filter, bind);
  if (operator === 'present' || operator === 'missing') {
    const isPresent = (operator === 'present') === (values[0] === true);
    return `${isPresent ? '' : 'not '}exists (select from ${field.through})`;
  }
  const negated = negations[operator];
  const matching = onColumn({ ...filter, operator: negated ?? operator }, bind);
  return `${negated ? 'not ' : ''}exists (select from ${field.through} and ${matching})`;
}

const negations: Partial<Record<Filter['operator'], 'eq' | 'in'>> = { neq: 'eq', nin: 'in' };
const comparisons = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function onColumn({ name, field, key, operator, values }: Filter, bind: Bind): string {
  const { sqlType } = fieldTypes[field.type];
  const [value = ''] = values;
  const column = columnOf(name, field.column, key, bind);
  const compared = field.isAddress ? `folded(${column})` : column;
  const one = () => (field.isAddress ? `folded(${bind(value, sqlType)})` : bind(value, sqlType));
  const many = () => {
    const list = bind(arrayLiteral(values), `${sqlType}[]`);
    return field.isAddress ? `array(select folded(v) from unnest(${list}) v)` : list;
  };
  switch (operator) {
    case 'eq':
      // Equality with an array means that it contains the value.
      if (isArray(field.type)) return arrayContains(column, bind(value, sqlType));
      return `${compared} = ${one()}`;
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return `${column} ${comparisons[operator]} ${bind(value, sqlType)}`;
    case 'neq':
      return `${compared} is distinct from ${one()}`;
    case 'in':
      return `${compared} = any(${many()})`;
    case 'nin':
      return `(${compared} <> all(${many()}) or ${column} is null)`;
    case 'contains':
      if (isArray(field.type)) return arrayContains(column, bind(value, sqlType));
      return matches(column, bind(`%${escapeLike(String(value))}%`, 'text'));
    case 'starts_with':
      return matches(column, bind(`${escapeLike(String(value))}%`, 'text'));
    case 'ends_with':
      return `starts_with(reverse(folded(${column})), reverse(folded(${bind(value, 'text')})))`;
    case 'present':
    case 'missing': {
      const isPresent = (operator === 'present') === (value === true);
      if (isArray(field.type)) {
        return `coalesce(cardinality(${column}), 0) ${isPresent ? '>' : '='} 0`;
      }
      return `${column} is ${isPresent ? 'not null' : 'null'}`;
    }
    default:
      return operator satisfies never;
  }
}

function columnOf(name: string, column: string | undefined, key: string | undefined, bind: Bind) {
  const expression = column ?? `t.${name.split('.', 1).join()}`;
  if (key !== undefined) return `(${expression} ->> ${bind(key, 'text')})`;
  return column === undefined ? expression : `(${expression})`;
}

/** Indexes of arrays leave out the empty ones, which Postgres does not infer from `@>`. */
export const arrayContains = (column: string, value: string) =>
  `(${column} @> array[${value}] and ${column} <> '{}')`;

const matches = (column: string, pattern: string) => `folded(${column}) like folded(${pattern})`;

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const isArray = (type: string) => type === 'id_array' || type === 'text_array';
