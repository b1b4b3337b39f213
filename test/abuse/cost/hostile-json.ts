import fc from 'fast-check';
import type { Json, Node } from '../../contract/json-schema.ts';
import { hostileText } from './hostile-texts.ts';

/** JSON text that is expensive to read, as long as the available space or its schema permits. */
export interface HostileJson {
  name: string;
  make(room: number, schema: Node & { maxItems?: number }): string;
}

const text = fc.tuple(hostileText, fc.boolean()).map(([{ name, make }, fits]): HostileJson => ({
  name: `text ${name}${fits ? ' that fits' : ''}`,
  make(room, { maxLength = room }) {
    const wanted = Math.min(room, fits ? maxLength : room);
    // Some characters are longer as JSON.
    const shown = JSON.stringify(make(wanted));
    const bytes = Buffer.byteLength(shown);
    return bytes <= room ? shown : JSON.stringify(make(Math.floor((wanted * room) / bytes) - 2));
  },
}));

const items = [
  '0',
  '""',
  '{}',
  '[]',
  'null',
  '{"a":1}',
  String.raw`"\u0000"`,
  '"aaaaaaaa"',
  '1e308',
];
const many = fc
  .tuple(fc.constantFrom(...items, 'sample'), fc.boolean())
  .map(([item, fits]): HostileJson => ({
    name: `items ${item}${fits ? ' that fit' : ''}`,
    make(room, { maxItems = room }) {
      const one = item === 'sample' ? '{"op":"all","rules":[]}' : item;
      const count = Math.floor((room - 2) / (one.length + 1));
      const wanted = Math.max(1, Math.min(count, fits ? maxItems : count));
      return `[${`${one},`.repeat(wanted - 1)}${one}]`;
    },
  }));

const nests = [
  ['[', ']'],
  ['{"a":', '}'],
  ['{"op":"all","rules":[', ']}'],
  ['{"rule":{"not":', '}}'],
] as const;
const deep = fc
  .tuple(fc.constantFrom(...nests), fc.constantFrom(10, 30, Infinity))
  .map(([[open, close], levels]): HostileJson => ({
    name: `nesting ${open} of ${String(levels)} levels`,
    make(room) {
      const most = Math.floor((room - 1) / (open.length + close.length));
      const depth = Math.max(1, Math.min(levels, most));
      return `${open.repeat(depth)}0${close.repeat(depth)}`;
    },
  }));

const keyNames: readonly ((at: number) => string)[] = [
  (at) => `k${String(at)}`,
  (at) => `${'k'.repeat(500)}${String(at)}`,
  (at) => `${'~/'.repeat(50)}${String(at)}`,
  (at) => `\u0000${String(at)}`,
  (at) => `__proto__${String(at)}`,
  () => 'same',
];
const keys = fc
  .tuple(fc.constantFrom(...keyNames), fc.constantFrom(100, 9_000, Infinity))
  .map(([nameOf, most]): HostileJson => ({
    name: `${String(most)} keys such as ${JSON.stringify(nameOf(1)).slice(0, 30)}`,
    make(room) {
      const parts: string[] = [];
      for (let at = 0, used = 2; at < most; at += 1) {
        const part = `${JSON.stringify(nameOf(at))}:1`;
        used += part.length + 1;
        if (used > room) break;
        parts.push(part);
      }
      return `{${parts.join(',')}}`;
    },
  }));

const numbers: readonly [string, string, string][] = [
  ['', '9', ''],
  ['-', '9', ''],
  ['0.', '0', '1'],
  ['1e', '9', ''],
  ['1', '-', ''],
];
const digits = fc.constantFrom(...numbers).map(([before, digit, after]): HostileJson => ({
  name: `number ${before}${digit}…${after}`,
  make: (room) => `${before}${digit.repeat(Math.max(1, room - 2))}${after}`,
}));

const values = 'contains starts_with ends_with in not_in eq gte'.split(' ');
const rules = fc
  .tuple(fc.constantFrom(...values), hostileText, fc.constantFrom(1, 100, 10_000))
  .map(([op, { name, make }, count]): HostileJson => ({
    name: `${String(count)} rules ${op} ${name}`,
    make(room) {
      const each = Math.max(10, Math.floor(room / count) - 80);
      const value = make(Math.min(each, 900));
      const rule = {
        field: 'contact.attributes.a',
        op,
        value: op.endsWith('in') ? [value] : value,
      };
      const one = JSON.stringify(rule);
      const wanted = Math.max(1, Math.min(count, Math.floor((room - 30) / (one.length + 1))));
      return `{"op":"any","rules":[${`${one},`.repeat(wanted - 1)}${one}]}`;
    },
  }));

/** JSON Schemas, as of message data and custom events. */
const schemaParts: readonly ((text: string) => object)[] = [
  (text) => ({ type: 'string', enum: Array.from({ length: 500 }, (_, at) => `${text}${at}`) }),
  (text) => ({ type: 'string', pattern: text }),
  () => ({ type: 'string', pattern: '^(a+)+$' }),
  () => ({ type: 'array', items: { anyOf: Array(200).fill({ type: 'string' }) } }),
  (text) => ({ type: 'object', properties: { a: { type: 'string', description: text } } }),
];
const schemas = fc
  .tuple(fc.constantFrom(...schemaParts), hostileText, fc.constantFrom(1, 50, 5_000))
  .map(([part, { name, make }, count]): HostileJson => ({
    name: `schema of ${String(count)} properties ${name}`,
    make(room) {
      const one = JSON.stringify(part(make(20)));
      const most = Math.max(1, Math.min(count, Math.floor((room - 40) / (one.length + 10))));
      const parts = Array.from({ length: most }, (_, at) => `"p${String(at)}":${one}`);
      return `{"type":"object","properties":{${parts.join(',')}}}`;
    },
  }));

export const hostileJson = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 3, arbitrary: many },
  { weight: 2, arbitrary: deep },
  { weight: 2, arbitrary: keys },
  { weight: 1, arbitrary: digits },
  { weight: 2, arbitrary: rules },
  { weight: 1, arbitrary: schemas },
);

/** A position in a body, by names and indexes from the outside in, and its schema. */
export interface Place {
  path: readonly string[];
  schema: Node;
}

/** The positions in a schema, the whole body first. */
export const placesOf = (schema: Node) => allPlaces(schema, []).slice(0, 300);

function allPlaces(schema: Node, path: readonly string[]): Place[] {
  const branches = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const inner =
    path.length > 5
      ? []
      : [
          ...branches.flatMap((branch) => allPlaces(branch, path)),
          ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
            allPlaces(one, [...path, name]),
          ),
          ...(schema.items ? allPlaces(schema.items, [...path, '0']) : []),
        ];
  return branches.length > 0 ? inner : [{ path, schema }, ...inner];
}

const mark = '\u2603 here';

/** The body with JSON text at a place; what is not there yet is made. */
export function bodyWith(
  good: Json | undefined,
  { path }: Place,
  make: (room: number) => string,
  limit: number,
): string {
  const whole = path.length === 0 ? mark : setAt(structuredClone(good ?? {}), path);
  const [before = '', after = ''] = JSON.stringify(whole).split(JSON.stringify(mark));
  return `${before}${make(Math.max(20, limit - Buffer.byteLength(before + after)))}${after}`;
}

function setAt(at: unknown, [name = '', ...rest]: readonly string[]): unknown {
  const holder: any = typeof at === 'object' && at !== null ? at : name === '0' ? [] : {};
  holder[name] =
    rest.length === 0 ? mark : setAt(holder[name] ?? (rest[0] === '0' ? [] : {}), rest);
  return holder;
}
