import type { Onward } from '../../../typescript/src/index.ts';
import { isObject } from '../arguments.ts';
import { HintedError, isOnward } from '../failures.ts';

const maxFields = 20;
const nearEnough = 0.6;

/** An error about unknown columns with the fields there are; every other one as it is. */
export async function explainColumns(
  onward: Onward,
  kind: string,
  error: unknown,
): Promise<unknown> {
  if (!isOnward(error)) return error;
  const columns = error.problems
    .filter(({ meta }) => meta.rule === 'unknown_column')
    .map(({ detail }) => nameIn(detail));
  if (columns.length === 0) return error;
  try {
    for await (const operation of onward.operations.list({ page: { size: 100 } })) {
      if (operation.kind !== kind) continue;
      return new HintedError(error, hintOf(columns, fieldsOf(operation.input_schema)));
    }
  } catch {
    // The first error says more.
  }
  return error;
}

/** The name of the column that a problem quotes. */
function nameIn(detail: string): string {
  const [quoted] = /"(?:[^"\\]|\\.)*"/.exec(detail) ?? [];
  const name: unknown = quoted === undefined ? '' : JSON.parse(quoted);
  return typeof name === 'string' ? name : '';
}

/** Lines below the error: likely names, all fields with the nearest first, and how to drop a column. */
function hintOf(columns: readonly string[], fields: readonly string[]): string[] {
  const nearest = columns.map((column) => ({ column, field: nearestOf(column, fields) }));
  const likely = nearest.filter(({ field }) => field !== undefined);
  const [unlikely] = nearest.filter(({ field, column }) => field === undefined && column !== '');
  const byDistance = [...fields].sort(
    (one, other) => bestScore(other, columns) - bestScore(one, columns),
  );
  const shown = byDistance.slice(0, maxFields);
  const more = fields.length - shown.length;
  const maps = likely.map(({ column, field }) => `"${column}=${field ?? ''}"`);
  return [
    `The fields are ${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}.`,
    ...(maps.length > 0 ? [`Perhaps: --map ${maps.join(' ')}`] : []),
    `--map "${unlikely?.column ?? 'Column'}=" leaves a column out; --map "Column=field" names its field.`,
  ];
}

const bestScore = (field: string, columns: readonly string[]) =>
  Math.max(0, ...columns.map((column) => scoreOf(column, field)));

function nearestOf(column: string, fields: readonly string[]): string | undefined {
  const [best] = fields
    .map((field) => ({ field, score: scoreOf(column, field) }))
    .sort((one, other) => other.score - one.score);
  return best && best.score >= nearEnough ? best.field : undefined;
}

/** From 0 to 1: the share of pairs of letters that two names have in common (Dice). */
function scoreOf(column: string, field: string): number {
  const one = pairsOf(column);
  const other = pairsOf(field);
  if (one.length === 0 || other.length === 0) return 0;
  const left = [...other];
  const common = one.filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
  return (2 * common) / (one.length + other.length);
}

function pairsOf(name: string): string[] {
  const letters = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) =>
    letters.slice(at, at + 2),
  );
}

/** Names of the fields of a JSON Schema that can be written, with dots for those in objects. */
function fieldsOf(schema: unknown, prefix = ''): string[] {
  const { properties, patternProperties } = isObject(schema) ? schema : {};
  const named = Object.entries(isObject(properties) ? properties : {}).flatMap(
    ([name, property]) => {
      const form = formOf(property);
      if (form['readOnly'] === true || form['const'] !== undefined) return [];
      const inner = prefix.split('.').length < 3 ? fieldsOf(form, `${prefix}${name}.`) : [];
      return inner.length > 0 ? inner : [prefix + name];
    },
  );
  const isOpen = prefix !== '' && isObject(patternProperties) && named.length === 0;
  return isOpen ? [`${prefix}<name>`] : named;
}

/** A schema without "or null". */
function formOf(schema: unknown): Record<string, unknown> {
  const whole = isObject(schema) ? schema : {};
  const forms = Array.isArray(whole['anyOf']) ? whole['anyOf'].filter(isObject) : [];
  const [only, ...more] = forms.filter(({ type }) => type !== 'null');
  return only && more.length === 0 ? only : whole;
}
