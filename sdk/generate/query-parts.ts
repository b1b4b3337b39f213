import type { Parameter, Schema } from './document.ts';

/** The parameters of a query by how the SDKs write them. */
export function partsOf(query: readonly Parameter[]) {
  const inPage = query.filter(({ name }) => name.startsWith('page['));
  const inFilter = query.filter(({ name }) => name.startsWith('filter'));
  const plain = query.filter((one) => !inPage.includes(one) && !inFilter.includes(one));
  return { inPage, inFilter, plain };
}

export interface FilterField {
  /** `filter[email]`; undefined where only operators are allowed. */
  bare?: Schema;
  /** `filter[email][in]`. */
  operators: Map<string, Schema>;
}

/** The fields of a filter. An open one also has the attributes that a team has named itself. */
export function filterFields(parameters: readonly Parameter[]) {
  const fields = new Map<string, FilterField>();
  for (const { name, schema } of parameters) {
    const [, field, operator] = /^filter\[([^\]]+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
    if (field === undefined) continue;
    const known = fields.get(field) ?? { operators: new Map<string, Schema>() };
    if (operator === undefined) known.bare = schema;
    else known.operators.set(operator, schema);
    fields.set(field, known);
  }
  return { fields, isOpen: parameters.some(({ style }) => style === 'deepObject') };
}
