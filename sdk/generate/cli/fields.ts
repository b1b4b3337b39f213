import type { Document, Operation, Schema } from '../document.ts';
import { formOf, isText, typeText } from './types.ts';
import type { Form } from './types.ts';

/** A field as somebody types it: `consents.email.status=`. */
export interface Field {
  /** With the sign: `name=` for text, `name:=` for JSON. */
  typed: string;
  isRequired: boolean;
  type: string;
  description: string;
}

const deepest = 3;

/** The fields of the body of an operation, those in objects with dots between. */
export function fieldsOf({ body }: Operation, document: Document): Field[] {
  const [first] = body?.types ?? [];
  return first === undefined ? [] : fieldsIn(formOf(first[1], document), document, []);
}

function fieldsIn(form: Form, document: Document, path: readonly string[]): Field[] {
  const { properties, required, others } = partsOf(form.schema, document);
  const named = Object.entries(properties).flatMap(([name, property]) =>
    fieldOf(property, document, [...path, name], required.includes(name)),
  );
  // A pattern is a name that the caller chooses.
  const open = others.flatMap((schema) => fieldOf(schema, document, [...path, '<name>'], false));
  return [...named, ...open];
}

function fieldOf(
  property: Schema,
  document: Document,
  path: readonly string[],
  isRequired: boolean,
): Field[] {
  const form = formOf(property, document);
  const { schema } = form;
  if (schema.readOnly === true || isNameOfResource(path, schema, isRequired)) return [];
  const inner = path.length < deepest ? fieldsIn(form, document, path) : [];
  if (inner.length > 0 && isObject(schema)) return inner;
  const sign = isText(schema) ? '=' : ':=';
  const description = sentenceOf(form.description ?? '');
  return [
    { typed: path.join('.') + sign, isRequired, type: typeText(form, document), description },
  ];
}

/** `"type": "contact"` can be sent back, and says nothing. */
const isNameOfResource = ([name, ...more]: readonly string[], schema: Schema, required: boolean) =>
  name === 'type' && more.length === 0 && schema.const !== undefined && !required;

const isObject = ({ type }: Schema) => type === 'object';

/** The fields of an object; those of all forms of a body that has several. */
function partsOf(schema: Schema, document: Document) {
  const objects = formsOf(schema, document).filter(isObject);
  const properties: Record<string, Schema> = {};
  for (const one of objects) Object.assign(properties, one.properties);
  const required = objects.length === 0 ? [] : requiredInAll(objects);
  const others = objects.flatMap(({ patternProperties = {} }) =>
    Object.entries(patternProperties).flatMap(([pattern, one]) =>
      // Every name and every value: the object is JSON as a whole.
      pattern === '^.*$' ? [] : [one],
    ),
  );
  return { properties, required, others };
}

function formsOf(schema: Schema, document: Document): Schema[] {
  const { anyOf } = schema;
  return anyOf?.flatMap((one) => formsOf(formOf(one, document).schema, document)) ?? [schema];
}

function requiredInAll([first, ...rest]: readonly Schema[]): readonly string[] {
  return (first?.required ?? []).filter((name) =>
    rest.every(({ required = [] }) => required.includes(name)),
  );
}

/** The first sentence: the reference has all of them. */
function sentenceOf(text: string): string {
  const [, first = text] = /^(.+?)(?:\.\s|$)/s.exec(text) ?? [];
  return first.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}
