import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';
import { pointerOf } from './json-limits.ts';
import { withoutUniqueItems } from './unique-items.ts';

type Node = Readonly<Record<string, unknown>>;

/** An error as the library lists it. */
export type SchemaError = {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
};

/** Lists up to this length are checked with everything else. */
const shortLength = 100;

/**
 * Lists the errors of long arrays, up to about `maxErrors`. The library takes 4 µs for each item of an
 * invalid value, valid items included, so a body of 1 MB would block the event loop for 100 ms.
 * `rest` is the value with its long arrays shortened, for the library. An array that is longer than
 * its schema allows is left as it is.
 */
export function checkLongLists(
  schema: TSchema,
  value: unknown,
  maxErrors: number,
): { errors: SchemaError[]; rest: unknown } {
  const errors: SchemaError[] = [];

  function walk(node: unknown, part: unknown, pointer: string): unknown {
    if (!isNode(node) || errors.length >= maxErrors) return part;
    if (Array.isArray(node['anyOf'])) {
      const forms = node['anyOf'].filter((form) => isNode(form) && fits(form, part));
      return forms.length === 1 ? walk(forms[0], part, pointer) : part;
    }
    if (Array.isArray(part)) return walkList(node, part, pointer);
    return isNode(part) ? walkObject(node, part, pointer) : part;
  }

  function walkObject({ properties, patternProperties }: Node, part: Node, pointer: string): Node {
    const [others] = isNode(patternProperties) ? Object.values(patternProperties) : [];
    if (!isNode(properties) && others === undefined) return part;
    const entries = Object.entries(part).map(([name, one]): [string, unknown] => {
      const isKnown = isNode(properties) && Object.hasOwn(properties, name);
      const place = `${pointer}${pointerOf([name])}`;
      return [name, walk(isKnown ? properties[name] : others, one, place)];
    });
    return Object.fromEntries(entries);
  }

  function walkList({ items, maxItems }: Node, list: readonly unknown[], pointer: string): unknown {
    if (!isNode(items) || list.length > Number(maxItems ?? Infinity)) return list;
    if (list.length <= shortLength) {
      return list.map((item, at) => walk(items, item, `${pointer}/${String(at)}`));
    }
    const item = compiled(items);
    for (const [at, one] of list.entries()) {
      if (errors.length >= maxErrors) break;
      if (item.Check(one)) continue;
      const inside = checkLongLists(items, one, maxErrors);
      for (const error of inside.errors.length > 0 ? inside.errors : item.Errors(inside.rest)) {
        errors.push({ ...error, instancePath: `${pointer}/${String(at)}${error.instancePath}` });
      }
    }
    return list.slice(0, shortLength);
  }

  return { rest: walk(schema, value, ''), errors };
}

const fits = ({ type }: Node, value: unknown) =>
  Array.isArray(value) ? type === 'array' : isNode(value) && type === 'object';

const compiledItems = new WeakMap<Node, ReturnType<typeof Compile>>();

function compiled(items: Node) {
  const item = compiledItems.get(items) ?? Compile(withoutUniqueItems(items));
  compiledItems.set(items, item);
  return item;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
