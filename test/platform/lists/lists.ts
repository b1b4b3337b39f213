import { HttpError } from '../../../src/platform/http/errors.ts';
import type { ListDeclaration } from '../../../src/platform/lists/declaration.ts';
import { parseListQuery } from '../../../src/platform/lists/parse.ts';

/** A list with a field of every type, as the tests use it. */
export const things: ListDeclaration = {
  fields: {
    name: { type: 'text', filter: true, sort: true, nullable: true },
    status: {
      type: 'enum',
      values: ['active', 'suppressed', 'archived'],
      filter: true,
      sort: true,
    },
    owner_id: { type: 'id', filter: true, sort: true, nullable: true },
    score: { type: 'integer', filter: true, sort: true, nullable: true },
    is_active: { type: 'boolean', filter: true, sort: true, nullable: true },
    due_on: { type: 'date', filter: true, sort: true, nullable: true },
    seen_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    tags: { type: 'text_array', filter: true },
    related_ids: { type: 'id_array', filter: true },
    cohort_id: {
      type: 'id',
      column: 'm.cohort_id',
      through: 'members m where m.thing_id = t.id',
      filter: true,
    },
    slug: { type: 'text', filter: ['eq', 'in'] },
    secret: { type: 'text' },
    'attributes.<key>': { type: 'attribute', filter: true },
  },
  defaultSort: '-inserted_at',
  includes: ['accounts', 'cohorts'],
};

export const parse = (query: string, list = things) =>
  parseListQuery(list, new URLSearchParams(query));

/** The problems that a query string is refused with, in order; none if it is taken. */
export function problemsOf(query: string, list = things) {
  try {
    parse(query, list);
    return [];
  } catch (error) {
    if (error instanceof HttpError) return error.problems;
    throw error;
  }
}

export const codesOf = (query: string, list = things) =>
  problemsOf(query, list).map(({ code }) => code);
