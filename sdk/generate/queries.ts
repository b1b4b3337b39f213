import type { Operation, Parameter, Schema } from './document.ts';
import { filterFields, partsOf } from './query-parts.ts';
import { typeOf } from './schemas.ts';

/** Names for the sets of operators that filters share. */
export interface OperatorSets {
  nameOf(operators: readonly string[]): string;
  write(): string;
}

export function collectOperatorSets(): OperatorSets {
  const names = new Map<string, string>();
  return {
    nameOf(operators) {
      const key = operators.map((operator) => `'${operator}'`).join(' | ');
      const name = names.get(key) ?? `Operators${String(names.size + 1)}`;
      names.set(key, name);
      return name;
    },
    write: () => [...names].map(([key, name]) => `type ${name} = ${key};\n`).join(''),
  };
}

/** TypeScript of the query of an operation: `filter[email][in]` is `filter.email.in`. */
export function queryOf({ query }: Operation, sets: OperatorSets): string {
  const { inPage, inFilter, plain } = partsOf(query);
  const fields = plain.map(({ name, schema, required }) => {
    const isRequired = required === true;
    return `${name}${isRequired ? '' : '?'}: ${name === 'sort' ? sortOf(schema) : valueOf(schema)};`;
  });
  if (inFilter.length > 0) fields.push(`filter?: ${filterOf(inFilter, sets)};`);
  if (inPage.length > 0) fields.push('page?: PageQuery;');
  return `{ ${fields.join(' ')} }`;
}

function sortOf({ items }: Schema): string {
  const fields = (items?.enum ?? []).filter((field) => !field.startsWith('-'));
  return `Sort<${fields.map((field) => `'${field}'`).join(' | ')}>`;
}

function filterOf(parameters: readonly Parameter[], sets: OperatorSets): string {
  const { fields, isOpen } = filterFields(parameters);
  const lines = [...fields].map(([field, { bare, operators }]) => {
    const key = /^\w+$/.test(field) ? field : `'${field}'`;
    const value = valueOf(bare ?? single(operators));
    if (operators.size === 0) return `${key}?: ${value};`;
    const names = sets.nameOf([...operators.keys()].sort());
    const type = bare ? 'Filter' : 'Operators';
    return `${key}?: ${type}<${value}, ${names}>;`;
  });
  if (isOpen) lines.push('[key: `attributes.${string}`]: Filter<string, AttributeOperator>;');
  return `{ ${lines.join(' ')} }`;
}

/** The schema of one value: that of an operator which takes one. */
function single(operators: ReadonlyMap<string, Schema>): Schema {
  const others = new Set(['in', 'nin', 'present', 'missing']);
  const found = [...operators].find(([operator]) => !others.has(operator));
  return found?.[1] ?? operators.get('in')?.items ?? {};
}

function valueOf(schema: Schema): string {
  if (schema.type === 'array') return `readonly (${valueOf(schema.items ?? {})})[]`;
  return schema.format === 'date-time' ? 'Time' : typeOf(schema);
}
