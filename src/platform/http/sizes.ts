import { ProblemList } from './errors.ts';
import type { Problem } from './errors.ts';

type Node = Readonly<Record<string, unknown>>;

/** Values up to this size are validated quickly, even against other schemas. */
const smallSize = 100;

/**
 * Finds texts, lists and objects that are more than twice as large as their schema allows, and
 * objects with more than a hundred unknown fields. They are rejected before any other check, since listing all their errors can take more than linear time.
 */
export function findOversized(schema: unknown, value: unknown): Problem[] {
  const problems = new ProblemList();
  if (isNode(schema)) walk(schema, value, '', problems);
  return problems.all;
}

function walk(schema: Node, value: unknown, pointer: string, problems: ProblemList): void {
  if (problems.isFull) return;
  if (Array.isArray(schema['anyOf'])) {
    walkUnion(schema['anyOf'], value, pointer, problems);
  } else if (typeof value === 'string') {
    check(problems, pointer, value.length, schema['maxLength'], 'characters');
  } else if (Array.isArray(value)) {
    const { items } = schema;
    const isSmall = check(problems, pointer, value.length, schema['maxItems'], 'items');
    if (!isSmall || !isNode(items)) return;
    for (const [index, item] of value.entries()) {
      walk(items, item, `${pointer}/${String(index)}`, problems);
    }
  } else if (isNode(value)) {
    walkObject(schema, value, pointer, problems);
  }
}

function walkObject(schema: Node, value: Node, pointer: string, problems: ProblemList): void {
  const names = Object.keys(value);
  if (!check(problems, pointer, names.length, schema['maxProperties'], 'keys')) return;
  const { properties, patternProperties } = schema;
  const [others] = isNode(patternProperties) ? Object.values(patternProperties) : [];
  const unknown: string[] = [];
  for (const name of names) {
    if (problems.isFull) return;
    const own = isNode(properties) && Object.hasOwn(properties, name) ? properties[name] : others;
    if (isNode(own)) walk(own, value[name], `${pointer}/${escape(name)}`, problems);
    else unknown.push(name);
  }
  if (schema['additionalProperties'] !== false || unknown.length <= smallSize) return;
  for (const name of unknown) {
    if (problems.isFull) return;
    problems.add(unknownField(`${pointer}/${escape(name)}`));
  }
}

const escape = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

const unknownField = (pointer: string): Problem => ({
  code: 'validation_failed',
  detail: `${pointer.slice(1).replaceAll('/', '.')} is not a field of this resource.`,
  meta: { pointer, rule: 'unknown_field' },
});

/** Too large for every form of its type. */
function walkUnion(
  forms: readonly unknown[],
  value: unknown,
  pointer: string,
  problems: ProblemList,
): void {
  const found = forms
    .filter(isNode)
    .filter((form) => 'anyOf' in form || form['type'] === typeOf(value))
    .map((form) => {
      const own = new ProblemList();
      walk(form, value, pointer, own);
      return own.all;
    });
  const [first = []] = found;
  if (found.every((own) => own.length > 0)) problems.add(...first);
}

/** False where it is far too large. */
function check(
  problems: ProblemList,
  pointer: string,
  size: number,
  limit: unknown,
  what: string,
): boolean {
  if (typeof limit !== 'number' || size <= Math.max(2 * limit, smallSize)) return true;
  const name = pointer === '' ? 'The body' : pointer.slice(1).replaceAll('/', '.');
  problems.add({
    code: 'validation_failed',
    detail: `${name} must have at most ${String(limit)} ${what}.`,
    meta: { pointer, rule: 'max_length', expected: limit },
  });
  return false;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
