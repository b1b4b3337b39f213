import { readFileSync } from 'node:fs';

/** A table that is declared, with the statements of the builder that the service uses of it. */
export interface DeclaredTable {
  table: string;
  /** file:line of the declaration. */
  place: string;
  statements: ReadonlySet<string>;
}

const statementsOf: Readonly<Record<string, readonly string[]>> = {
  source: ['list'],
  find: ['find'],
  require: ['find'],
  lock: ['lock'],
  count: ['count'],
  insert: ['holder'],
  update: ['update', 'holder'],
  remove: ['remove'],
};
/** Statements of a standard endpoint: always, and unless it has a `handle`. */
const ofEndpoints: Readonly<Record<string, [readonly string[], readonly string[]]>> = {
  list: [['list'], []],
  get: [['find'], []],
  create: [['count'], ['holder']],
  update: [['lock'], ['update', 'holder']],
  delete: [['lock'], ['remove']],
  archive: [['lock'], ['update']],
  unarchive: [['lock'], ['update']],
};

/** Reads the declared tables, and how they are used, from the sources. */
export function findTables(files: readonly string[]): DeclaredTable[] {
  const texts = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  return texts.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(\w+) = (?:\{\s*\.\.\.)?table\(\s*'(\w+)'/g)].map((match) => {
      const [declared, variable = '', table = ''] = match;
      const place = `${file}:${String(text.slice(0, match.index).split('\n').length)}`;
      const end = text.indexOf('\n});', match.index);
      const hasUnique = /\bunique:/.test(text.slice(match.index + declared.length, end));
      const used = texts.flatMap((one) => usesOf(variable, one.text));
      const statements = new Set(used.filter((name) => name !== 'holder' || hasUnique));
      return { table, place, statements };
    }),
  );
}

function usesOf(variable: string, text: string): string[] {
  if (!new RegExp(`\\b${variable}\\b`).test(text)) return [];
  const calls = [...text.matchAll(new RegExp(`\\b${variable}\\s*\\.(\\w+)\\b`, 'g'))];
  const direct = calls.flatMap(([, name = '']) => statementsOf[name] ?? []);
  const [, spread, replaced = '', plain] =
    /standardEndpoints\(\s*(?:\{\s*\.\.\.(\w+),([^}]*)\}|(\w+))/.exec(text) ?? [];
  if (variable !== (spread ?? plain)) return direct;
  const hasOwnLock = /\block:/.test(replaced);
  const standard = [...text.matchAll(/\bstandard\.(\w+)\(\{([^]*?)\n\}\);/g)];
  return standard.reduce((found, [, name = '', body = '']) => {
    const [always, unlessHandled] = ofEndpoints[name] ?? [[], []];
    const used = [...always, ...(/\bhandle\b/.test(body) ? [] : unlessHandled)];
    return [...found, ...used.filter((statement) => statement !== 'lock' || !hasOwnLock)];
  }, direct);
}
