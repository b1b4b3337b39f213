import { snakeCase } from '../../naming.ts';
import type { Operation, Parameter, Schema } from '../document.ts';
import { filterFields, partsOf } from '../query-parts.ts';
import { className } from './types.ts';
import type { PythonTypes } from './types.ts';

/** An argument of a method by the name of the query parameter. */
export interface QueryArgument {
  name: string;
  type: string;
  isRequired: boolean;
}

const valueNames: Readonly<Record<string, string>> = {
  str: 'Text',
  int: 'Integer',
  bool: 'Boolean',
  'str | datetime': 'Time',
};

/** `filter[email][in]` is an entry of the argument `filter`: `{"email": {"in": [...]}}`. */
export function queryArguments(operation: Operation, types: PythonTypes): QueryArgument[] {
  const { query, id } = operation;
  const hint = className(id);
  const { inPage, inFilter, plain } = partsOf(query);
  const args = plain.map(({ name, schema, required }) => {
    const value = types.typeOf(schema, 'body', hint + className(name));
    // One field to sort by, or one relation, needs no list.
    const single = schema.type === 'array' && schema.items ? itemOf(schema, types, hint) : '';
    const both = single === '' ? value : `${single} | Sequence[${single}]`;
    const type = both.length > 60 ? types.addAlias(hint + className(name), both) : both;
    return { name: snakeCase(name), type, isRequired: required === true };
  });
  if (inFilter.length > 0) {
    const isRequired = inFilter.some(({ required }) => required === true);
    args.unshift({ name: 'filter', type: filterOf(inFilter, hint, types), isRequired });
  }
  if (inPage.length > 0) args.push({ name: 'page', type: 'PageQuery', isRequired: false });
  return args.map((arg) =>
    arg.name === 'page' ? arg : { ...arg, type: inModels(arg.type, types) },
  );
}

function itemOf({ items = {} }: Schema, types: PythonTypes, hint: string): string {
  return types.typeOf(items, 'body', hint);
}

function filterOf(parameters: readonly Parameter[], hint: string, types: PythonTypes): string {
  const { fields, isOpen } = filterFields(parameters);
  const lines = [...fields].map(([field, { bare, operators }]) => {
    const value = bare && types.typeOf(bare, 'body', hint);
    const conditions = [...operators].map(
      ([operator, schema]) => `${operator}: NotRequired[${types.typeOf(schema, 'body', hint)}]`,
    );
    if (conditions.length === 0) return `${field}: NotRequired[${value ?? 'str'}]`;
    const plain = valueNames[value ?? ''];
    const name = plain === undefined ? `${hint}${className(field)}` : plain;
    const set = types.addClass(`${name}Operators`, conditions);
    return `${field}: NotRequired[${value === undefined ? set : `${value} | ${set}`}]`;
  });
  const filter = types.addClass(`${hint}Filter`, lines);
  // Attributes of a team have names that the document does not know.
  return isOpen ? `${filter} | Mapping[str, Any]` : filter;
}

/** Classes are imported by the module of models as `m`. */
export function inModels(type: string, types: PythonTypes): string {
  const names = new Set(types.names());
  return type.replaceAll(/(?<![\w"])[A-Z]\w*(?![\w"])/g, (name) =>
    names.has(name) ? `m.${name}` : name,
  );
}
