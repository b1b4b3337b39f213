import { nameOf } from '../document.ts';
import type { Document, Schema } from '../document.ts';

/** Bodies are written by callers, who may pass dates and any sequence; answers are what JSON has. */
type Direction = 'body' | 'answer';

type Schemas = Document['components']['schemas'];

export const keywords: ReadonlySet<string> = new Set([
  ...['and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif'],
  ...['else', 'except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda'],
  ...['nonlocal', 'not', 'or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield'],
]);

/** Relations that only the rows of a list have. */
const embedded = ['relationships', 'truncated_relationships'];

/** `contact_details` is `ContactDetails`. */
export function className(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}

export function literal(values: readonly (string | number)[]): string {
  return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}

/** Collects the classes of a module while their names are handed out. */
export class PythonTypes {
  readonly #schemas: Schemas;
  readonly #texts: string[] = [];
  readonly #names = new Set<string>();
  readonly #named = new Map<string, string>();
  readonly #references = new Map<string, string>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  write(): string {
    return this.#texts.join('\n\n');
  }

  names(): string[] {
    return [...this.#names].sort();
  }

  /** The schema of the items of a page. */
  itemOf({ $ref, properties = {} }: Schema): Schema {
    return $ref === undefined
      ? (properties['data']?.items ?? {})
      : this.itemOf(this.#schemas[nameOf($ref)] ?? {});
  }

  /** A type as text, under `hint` where it needs a class. */
  typeOf(schema: Schema, direction: Direction, hint: string): string {
    const { $ref, anyOf, const: constant, enum: values, type, format } = schema;
    if ($ref !== undefined) return this.#referenceOf(nameOf($ref), direction);
    if (anyOf) {
      const types = new Set(anyOf.map((one) => this.typeOf(one, direction, hint)));
      // A union with Any is Any.
      if (types.has('Any')) return 'Any';
      const last = types.delete('None') ? ['None'] : [];
      return [...types, ...last].join(' | ');
    }
    if (constant !== undefined) return literal([constant]);
    if (values) return literal(values);
    if (type === 'array') return this.#arrayOf(schema.items ?? {}, direction, hint);
    if (type === 'object') return this.#objectOf(schema, direction, hint);
    if (type === 'string' && direction === 'body') {
      if (format === 'date-time') return 'str | datetime';
      if (format === 'date') return 'str | date';
    }
    return plainTypes[type ?? ''] ?? 'Any';
  }

  #referenceOf(name: string, direction: Direction): string {
    const key = `${direction} ${name}`;
    const known = this.#references.get(key);
    if (known !== undefined) return known;
    const schema = this.#schemas[name] ?? {};
    const isTaken = direction === 'body' && this.#names.has(className(name));
    const hint = isTaken ? `${className(name)}Input` : className(name);
    const type = this.typeOf(schema, direction, hint);
    const found = schema.enum ? this.addAlias(hint, type) : type;
    this.#references.set(key, found);
    return found;
  }

  #arrayOf(items: Schema, direction: Direction, hint: string): string {
    const item = this.typeOf(items, direction, hint);
    return direction === 'body' ? `Sequence[${item}]` : `list[${item}]`;
  }

  #objectOf(schema: Schema, direction: Direction, hint: string): string {
    const { properties = {}, patternProperties = {}, additionalProperties } = schema;
    const map = direction === 'body' ? 'Mapping' : 'dict';
    const others = Object.values(patternProperties);
    if (typeof additionalProperties === 'object') others.push(additionalProperties);
    const entries = Object.entries(properties);
    // A TypedDict admits no further fields.
    if (entries.length === 0 || additionalProperties === true) {
      const values = new Set(others.map((one) => this.typeOf(one, direction, `${hint}Value`)));
      return `${map}[str, ${values.size === 0 ? 'Any' : [...values].join(' | ')}]`;
    }
    const isEmbedded = ([name]: [string, Schema]) => embedded.includes(name);
    const relations = entries.filter(isEmbedded);
    if (relations.length === 0 || relations.length === entries.length) {
      return this.addClass(hint, this.#fieldsOf(schema, entries, direction, hint));
    }
    // A row of a list is the resource with its relations.
    const rest = entries.filter((entry) => !isEmbedded(entry));
    const row = `${hint}Row`;
    const fields = this.#fieldsOf(schema, rest, direction, hint);
    const more = this.#fieldsOf(schema, relations, direction, row);
    const base = this.#named.get(keyOf(fields, 'TypedDict'));
    return base === undefined
      ? this.addClass(row, [...fields, ...more])
      : this.addClass(row, more, base);
  }

  #fieldsOf(
    { required = [] }: Schema,
    entries: readonly [string, Schema][],
    direction: Direction,
    hint: string,
  ): string[] {
    // The service ignores fields of its own in bodies.
    const written = entries.filter(([, { readOnly }]) => direction === 'answer' || !readOnly);
    return written.flatMap(([name, schema]) => {
      const type = this.typeOf(schema, direction, hint + className(name));
      const field = `${name}: ${required.includes(name) ? type : `NotRequired[${type}]`}`;
      return schema.description === undefined ? [field] : [`# ${oneLine(schema)}`, field];
    });
  }

  /** A class with these fields, or the one that has the same already. */
  addClass(hint: string, fields: readonly string[], base = 'TypedDict'): string {
    const key = keyOf(fields, base);
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const name = this.#freeName(hint);
    this.#named.set(key, name);
    this.#add(name, classOf(name, fields, base));
    return name;
  }

  /** A name for a type, or the one that it has already. */
  addAlias(hint: string, type: string): string {
    const known = this.#named.get(type);
    if (known !== undefined) return known;
    const name = this.#freeName(hint);
    this.#named.set(type, name);
    this.#add(name, `${name}: TypeAlias = ${quoted(type)}\n`);
    return name;
  }

  #add(name: string, text: string): void {
    this.#names.add(name);
    this.#texts.push(text);
  }

  #freeName(hint: string): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? hint : `${hint}${String(number)}`;
      if (!this.#names.has(name)) return name;
    }
  }
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Two classes with the same fields are one. */
function keyOf(fields: readonly string[], base: string): string {
  return [base, ...fields.filter((field) => !field.startsWith('#'))].join('\n');
}

function oneLine({ description = '' }: Schema): string {
  return description.replaceAll(/\s+/g, ' ');
}

/** A class, or a call where a field has a name that no attribute can have. */
function classOf(name: string, fields: readonly string[], base: string): string {
  const plain = fields.filter((field) => !field.startsWith('#'));
  const split = plain.map((field) => {
    const at = field.indexOf(': ');
    return [field.slice(0, at), field.slice(at + 2)] as const;
  });
  const isClass = split.every(([key]) => /^[A-Za-z_]\w*$/.test(key) && !keywords.has(key));
  if (isClass || base !== 'TypedDict') {
    const lines = fields.length === 0 ? ['pass'] : fields;
    return `class ${name}(${base}):\n${lines.map((line) => `    ${line}\n`).join('')}`;
  }
  const items = split.map(([key, type]) => `        ${JSON.stringify(key)}: ${quoted(type)},\n`);
  return `${name} = TypedDict(\n    "${name}",\n    {\n${items.join('')}    },\n)\n`;
}

function quoted(type: string): string {
  return `"${type.replaceAll('"', "'")}"`;
}
