import { failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import type { Operation } from '../operation-type.ts';
import { findColumn, findConsentColumn, place } from './column.ts';
import type { Column } from './column.ts';
import { shorten } from '../../platform/cut-text.ts';
import type { Mapping } from './mapping.ts';
import { trimCell } from './trim-cell.ts';

/** Makes an item of the cells of one record. */
export type ItemReader = (cells: readonly string[]) => Record<string, unknown>;

const maxColumns = 500;
const shownCharacters = 64;

/**
 * Reads the header of a CSV file by the input of the operation. The names of columns are those of
 * fields, unless `mapping` sets them. Throws all problems of the columns at once.
 */
export function readHeader(
  { input }: Pick<Operation, 'input'>,
  header: readonly string[],
  mapping: Mapping,
  objectiveKeys: ReadonlySet<string>,
): ItemReader {
  if (header.length > maxColumns) {
    throw failAll([
      wrong('too_many_columns', `The file has more than ${String(maxColumns)} columns.`),
    ]);
  }
  const names = header.map(trimCell);
  const fields = new Map(Object.entries(mapping).map(([name, field]) => [trimCell(name), field]));
  const problems: Problem[] = [];
  const columns: (Column | undefined)[] = [];
  for (const [at, name] of names.entries()) {
    const place = `Column ${String(at + 1)}${name === '' ? '' : ` (${shown(name)})`}`;
    const field = fields.has(name) ? fields.get(name) : name;
    const isConsent = typeof field === 'object' && field !== null;
    const named = typeof field === 'string' ? findColumn(input, field, objectiveKeys) : undefined;
    const column = isConsent ? findConsentColumn(input, field) : named;
    if (names.indexOf(name) < at) {
      problems.push(wrong('duplicate_column', `${place} has the name of another.`));
    } else if (isConsent && !column) {
      problems.push(wrong('no_consents', `${place}: records of the operation have no consents.`));
    } else if (typeof field === 'string' && !column) {
      problems.push(wrong('unknown_column', `${place} is no field of the operation.`));
    } else if (column && columns.some((other) => other && overlap(column.path, other.path))) {
      problems.push(wrong('duplicate_column', `${place} gives a field that another gives.`));
    }
    columns.push(column);
  }
  for (const [name, field] of [...fields].filter(([known]) => !names.includes(known))) {
    const place = typeof field === 'string' || field === null ? 'mapping' : 'consent_columns';
    problems.push(wrong('missing_column', `${place} names ${shown(name)}, which is no column.`));
  }
  if (problems.length > 0) throw failAll(problems);
  return (cells) => {
    const item: Record<string, unknown> = {};
    for (const [at, text] of cells.entries()) {
      const column = columns[at];
      if (column?.convert && text !== '') place(item, column.path, column.convert(text));
    }
    return item;
  };
}

/** Names of columns are shown to their sender; one that could be a person's is cut no less. */
function shown(name: string): string {
  return JSON.stringify(shorten(name, shownCharacters));
}

function overlap(one: readonly string[], other: readonly string[]): boolean {
  return one.every((name, at) => at >= other.length || name === other[at]);
}

function wrong(rule: string, detail: string): Problem {
  return { code: 'upload_unreadable', detail, meta: { pointer: '/upload_id', rule } };
}
