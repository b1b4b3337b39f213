import type { SourceFile } from './invariants.ts';

/**
 * Violations of the rules for schema files: migrations have the numbers 1, 2, 3 …, and every
 * function stands once, in the folder functions/, whose files are applied again when they change.
 */
export function findSchemaFaults(files: readonly SourceFile[]): string[] {
  const migrations = files.filter(({ path }) => !isFunctionFile(path));
  return [
    ...numberFaults(migrations.map(({ path }) => path)),
    ...migrations.flatMap(({ path, text }) =>
      definitionsIn(text).map(({ name }) => `${path}: define ${name} in the folder functions/`),
    ),
    ...functionFaults(files.filter(({ path }) => isFunctionFile(path))),
    ...files
      .filter(({ text }) => withoutComments(text).includes('pg_get_functiondef'))
      .map(({ path }) => `${path}: write the function out instead of editing pg_get_functiondef`),
  ];
}

function numberFaults(paths: readonly string[]): string[] {
  return paths.toSorted().flatMap((path, at) => {
    const expected = String(at + 1).padStart(4, '0');
    const [, number] = /\/(\d{4})-[a-z0-9-]+\.sql$/.exec(path) ?? [];
    return number === expected ? [] : [`${path}: the number of this migration must be ${expected}`];
  });
}

function functionFaults(files: readonly SourceFile[]): string[] {
  const homes = new Map<string, string>();
  return files.flatMap(({ path, text }) =>
    definitionsIn(text).flatMap(({ name, replaces }) => {
      const home = homes.get(name);
      homes.set(name, path);
      if (!replaces) return [`${path}: define ${name} by \`create or replace\``];
      return home === undefined ? [] : [`${path}: ${home} defines ${name} as well`];
    }),
  );
}

function definitionsIn(text: string): { name: string; replaces: boolean }[] {
  const found = withoutComments(text).matchAll(
    /\bcreate\s+(or\s+replace\s+)?(?:function|procedure)\s+(\w+)/gi,
  );
  return [...found].map(([, replaces, name = '']) => ({ name, replaces: replaces !== undefined }));
}

function isFunctionFile(path: string): boolean {
  return path.includes('/functions/');
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, ' ');
}
