import { isTimestamp, isUuid } from '../schema/fields.ts';
import { shorten } from '../cut-text.ts';

/** Writes a value as JSON of at most `maxShown` characters, with `…` where it was cut. */
export type Redactor = (value: unknown) => string;

/** Characters of a body that are logged. */
export const maxShown = 2_048;

/** Fields that every resource has, and the page of a list. */
const isOfService = new Set(['inserted_at', 'updated_at', 'page']);

interface Out {
  text: string;
}
interface Node {
  /** Whether a value has the form of this schema, in enough detail to select a part of a union. */
  fits(value: unknown): boolean;
  write(value: unknown, out: Out): void;
}

/**
 * Shows the form of a value, and those parts of its content that cannot be secret by its schema:
 * ids, timestamps, values of an enum, numbers and booleans. Other text is shown by its length, and
 * fields without a schema by their form. So a new field is hidden until its schema describes it.
 * Values of a person, and of an object with `contact_id`, are shown by their form, except ids.
 */
export function redactor(schema: unknown, { isPersonal = false } = {}): Redactor {
  const node = nodeOf(schema, isPersonal);
  return (value) => {
    const out: Out = { text: '' };
    node.write(value, out);
    return shorten(out.text, maxShown);
  };
}

function nodeOf(schema: unknown, isPersonal: boolean): Node {
  if (!isRecord(schema)) return unknownForm;
  if ('const' in schema) return wordsOf([schema['const']]);
  if (Array.isArray(schema['anyOf'])) {
    return anyOf(schema['anyOf'].map((branch: unknown) => nodeOf(branch, isPersonal)));
  }
  switch (schema['type']) {
    case 'null':
      return shown((value) => value === null);
    case 'array':
      return listOf(nodeOf(schema['items'], isPersonal));
    case 'object':
      return objectOf(schema, isPersonal);
  }
  const node = scalarOf(schema);
  const isId = schema['format'] === 'uuid';
  return isPersonal && !isId ? { fits: node.fits, write: unknownForm.write } : node;
}

function scalarOf(schema: Readonly<Record<string, unknown>>): Node {
  if (Array.isArray(schema['enum'])) return wordsOf(schema['enum']);
  switch (schema['type']) {
    case 'boolean':
      return shown((value) => typeof value === 'boolean');
    case 'integer':
    case 'number':
      return shown((value) => typeof value === 'number');
    case 'string':
      return textOf(schema['format']);
    default:
      return unknownForm;
  }
}

/** A value that is shown as it is where it has the form, and by its own form elsewhere. */
function shown(fits: (value: unknown) => boolean): Node {
  return {
    fits,
    write(value, out) {
      if (fits(value)) out.text += JSON.stringify(value);
      else unknownForm.write(value, out);
    },
  };
}

const wordsOf = (words: readonly unknown[]) => shown((value) => words.includes(value));

function textOf(format: unknown): Node {
  if (format === 'uuid') return shown((value) => typeof value === 'string' && isUuid(value));
  if (format === 'date-time') {
    return shown((value) => typeof value === 'string' && isTimestamp(value));
  }
  return { fits: (value) => typeof value === 'string', write: unknownForm.write };
}

function anyOf(branches: readonly Node[]): Node {
  const find = (value: unknown) => branches.find(({ fits }) => fits(value));
  return {
    fits: (value) => find(value) !== undefined,
    write: (value, out) => (find(value) ?? unknownForm).write(value, out),
  };
}

function listOf(item: Node): Node {
  return {
    fits: Array.isArray,
    write(value, out) {
      if (Array.isArray(value)) writeList(value, item, out);
      else unknownForm.write(value, out);
    },
  };
}

function objectOf(schema: Readonly<Record<string, unknown>>, isOfPerson: boolean): Node {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const isPersonal = isOfPerson || 'contact_id' in properties;
  const fields = new Map(
    Object.entries(properties).map(([name, field]) => [
      name,
      // Fields of the service, and the counters of a page, say nothing of a person.
      nodeOf(field, isPersonal && !isOfService.has(name)),
    ]),
  );
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  // Names that clients choose, such as attributes, can have any content.
  const nodeAt = (name: string) => fields.get(name) ?? unknownForm;
  return {
    fits: (value) => isRecord(value) && required.every((name) => name in value),
    write(value, out) {
      if (!isRecord(value)) unknownForm.write(value, out);
      else writeObject(value, (name) => (fields.has(name) ? name : nameShown(name)), nodeAt, out);
    },
  };
}

/** Values without a schema: their form, with names that look like names of fields. */
const unknownForm: Node = {
  fits: () => true,
  write(value, out) {
    if (typeof value === 'string') out.text += `"${lengthOf(value)}"`;
    else if (Array.isArray(value)) writeList(value, unknownForm, out);
    else if (isRecord(value)) writeObject(value, nameShown, () => unknownForm, out);
    else out.text += value === null ? 'null' : `"[${typeof value}]"`;
  },
};

function writeList(values: readonly unknown[], item: Node, out: Out): void {
  out.text += '[';
  for (const [at, value] of values.entries()) {
    if (out.text.length > maxShown) return;
    if (at > 0) out.text += ',';
    item.write(value, out);
  }
  out.text += ']';
}

function writeObject(
  value: Readonly<Record<string, unknown>>,
  show: (name: string) => string,
  nodeAt: (name: string) => Node,
  out: Out,
): void {
  out.text += '{';
  let isFirst = true;
  for (const [name, field] of Object.entries(value)) {
    if (out.text.length > maxShown) return;
    if (field === undefined) continue;
    if (!isFirst) out.text += ',';
    isFirst = false;
    out.text += `${JSON.stringify(show(name))}:`;
    nodeAt(name).write(field, out);
  }
  out.text += '}';
}

/** A name that a client chose: shown if it could be that of a field. */
export function nameShown(name: string): string {
  return /^[a-z][\w.[\]]{0,63}$/i.test(name) ? name : lengthOf(name);
}

export const lengthOf = (text: string) => `[${String(text.length)} characters]`;

/** Whether texts of this schema are shown as they are. */
function isOpen(schema: Readonly<Record<string, unknown>>): boolean {
  const { format } = schema;
  return 'const' in schema || 'enum' in schema || format === 'uuid' || format === 'date-time';
}

/** The same for values of a query string, where all are text. */
export function textRedactor(schema: unknown, isPersonal = false): (text: string) => string {
  if (!isRecord(schema) || (isPersonal && schema['format'] !== 'uuid')) return lengthOf;
  switch (schema['type']) {
    case 'array': {
      const item = textRedactor(schema['items']);
      return (text) => text.split(',').map(item).join(',');
    }
    case 'boolean':
      return (text) => (/^(true|false)$/.test(text) ? text : lengthOf(text));
    case 'integer':
      return (text) => (/^-?\d{1,16}$/.test(text) ? text : lengthOf(text));
    default: {
      const { fits } = nodeOf(schema, false);
      return (text) => (isOpen(schema) && fits(text) ? text : lengthOf(text));
    }
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
