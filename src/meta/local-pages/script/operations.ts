/** An endpoint of the API, as the service declares it. */
interface Operation {
  method: string;
  /** Template form, with names in braces. */
  path: string;
  /** Scopes of which any one is enough; the declared one is the first. */
  scopes: readonly string[];
}

// The service writes both tables in front of the script: those that the script names, and no others.
declare const operations: Readonly<Record<string, Operation>>;
declare const remedies: Readonly<Record<string, string>>;

/** Values of path parameters by their names. */
export type Ids = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, string>>;

export function operationOf(id: string): Operation {
  const known = operations[id];
  if (!known) throw new Error(`The page has no operation ${id}.`);
  return known;
}

/** The address of a call. */
export function addressOf({ path }: Operation, ids: Ids, query: Query): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** Steps that resolve an error, from the catalog of the service. */
export const remedyOf = (code: string): string | undefined => remedies[code];
