import { filterNames, operatorsOf, pageSizes, sortNames } from './declaration.ts';
import type { ListDeclaration, ListField, Operator } from './declaration.ts';

/** Parameter object of OpenAPI 3.1. */
export interface QueryParameter {
  name: string;
  in: 'query';
  description: string;
  style?: 'form' | 'deepObject';
  explode?: boolean;
  schema: ParameterSchema;
}

interface ParameterSchema {
  type: string;
  format?: string;
  pattern?: string;
  enum?: readonly string[];
  anyOf?: readonly ParameterSchema[];
  minimum?: number;
  maximum?: number;
  items?: ParameterSchema;
  minItems?: number;
  maxItems?: number;
  default?: number | readonly string[];
  patternProperties?: Record<string, ParameterSchema>;
  additionalProperties?: boolean;
}

/** The query parameters of a list, for the OpenAPI document. */
export function listParameters(list: ListDeclaration): QueryParameter[] {
  const includes = list.includes ?? [];
  const sizes = pageSizes(list);
  return [
    ...sortParameter(list),
    ...filterNames(list).flatMap((name) => filterParameters(name, list.fields[name])),
    parameter('page[size]', 'Rows per page.', {
      type: 'integer',
      minimum: 1,
      maximum: sizes.max,
      default: sizes.default,
    }),
    parameter('page[after]', 'next_cursor of a page: gives the page behind it.', cursorSchema),
    parameter('page[before]', 'prev_cursor of a page: gives the page before it.', cursorSchema),
    ...(includes.length > 0 ? [includeParameter(includes)] : []),
    parameter('meta', 'Adds meta.count, the rows of all pages; exact up to 100000.', {
      type: 'string',
      enum: ['count'],
    }),
  ];
}

const cursorSchema = { type: 'string', pattern: '^[A-Za-z0-9]+$' };
const listStyle = { style: 'form', explode: false } as const;

const meanings: Record<Operator, string> = {
  eq: 'Equal; text with its case.',
  neq: 'Not equal; rows without a value are kept.',
  lt: 'Less than.',
  lte: 'Less than or equal.',
  gt: 'Greater than.',
  gte: 'Greater than or equal.',
  in: 'One of these values; write a comma inside a value as \\, and a backslash before it as \\\\.',
  nin: 'None of these values; rows without a value are kept.',
  contains: 'Contains this text in any case; arrays: has this element.',
  starts_with: 'Starts with this text in any case.',
  ends_with: 'Ends with this text in any case.',
  present: 'Whether there is a value; an empty array is none.',
  missing: 'Whether there is no value; an empty array is none.',
};

function parameter(name: string, description: string, schema: ParameterSchema) {
  return { name, in: 'query', description, schema } as const;
}

function sortParameter(list: ListDeclaration): QueryParameter[] {
  const names = sortNames(list);
  const values = names.flatMap((name) => [name, `-${name}`]);
  const schema = {
    type: 'array',
    items: { type: 'string', enum: values },
    minItems: 1,
    maxItems: 5,
    default: list.defaultSort.split(','),
  };
  const description = 'Fields in order of weight, "-" in front for descending.';
  return [{ ...parameter('sort', description, schema), ...listStyle }];
}

function includeParameter(includes: readonly string[]): QueryParameter {
  const schema = {
    type: 'array',
    items: { type: 'string', enum: includes },
    maxItems: 5,
  };
  const description =
    'Relations to embed at data[].relationships. A relation to many shows at most 25 resources; ' +
    'data[].truncated_relationships names those with more.';
  return { ...parameter('include', description, schema), ...listStyle };
}

function filterParameters(name: string, field?: ListField): QueryParameter[] {
  if (!field) return [];
  const allowed = operatorsOf(field);
  if (field.type === 'attribute') return [attributesParameter(name, allowed)];
  const bare = allowed.includes('eq')
    ? [parameter(`filter[${name}]`, meanings.eq, valueSchema(field))]
    : [];
  return [...bare, ...allowed.map((operator) => operatorParameter(name, field, operator))];
}

function operatorParameter(name: string, field: ListField, operator: Operator): QueryParameter {
  const described = (schema: ParameterSchema) =>
    parameter(`filter[${name}][${operator}]`, meanings[operator], schema);
  if (operator === 'present' || operator === 'missing') return described({ type: 'boolean' });
  if (operator !== 'in' && operator !== 'nin') return described(valueSchema(field));
  const items = valueSchema(field);
  return { ...described({ type: 'array', items, minItems: 1, maxItems: 100 }), ...listStyle };
}

/** OpenAPI cannot name a parameter by pattern, so only the form for equality is documented. */
function attributesParameter(name: string, allowed: readonly Operator[]): QueryParameter {
  const prefix = name.slice(0, name.indexOf('.'));
  return {
    name: 'filter',
    in: 'query',
    description:
      `filter[${name}]=<value>, or filter[${name}][<op>]=<value> with op one of ` +
      `${allowed.join(', ')}; the value at the key is compared as text.`,
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      patternProperties: { [`^${prefix}\\.[a-z][a-z0-9_]{0,63}$`]: { type: 'string' } },
      additionalProperties: false,
    },
  };
}

function valueSchema({ type, values, otherValues }: ListField): ParameterSchema {
  switch (type) {
    case 'id':
    case 'id_array':
      return { type: 'string', format: 'uuid' };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'integer':
      return {
        type: 'integer',
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return otherValues === undefined
        ? { type: 'string', enum: values ?? [] }
        : {
            type: 'string',
            anyOf: [
              { type: 'string', enum: values ?? [] },
              { type: 'string', pattern: otherValues.source },
            ],
          };
    case 'text':
    case 'text_array':
    case 'attribute':
      return { type: 'string' };
    default:
      return type satisfies never;
  }
}
