/** Array types by element: [oid of the element, oid of the array]. */
const arrayTypes = [
  [16, 1000], // boolean
  [17, 1001], // bytea
  [19, 1003], // name
  [20, 1016], // bigint
  [21, 1005], // smallint
  [23, 1007], // int
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // real
  [701, 1022], // double precision
  [1042, 1014], // char
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
] as const;

interface Conversions {
  parsers: Record<number, (value: string) => unknown>;
  serializers: Record<number, (value: unknown) => unknown>;
}

/**
 * Registers one-dimensional arrays with a driver instance, with its own conversions of the
 * elements. The driver could query Postgres for them at every connect, but nothing awaits that
 * query. A lost connection would then cause an unhandled rejection, which ends the process.
 */
export function registerArrayTypes({ parsers, serializers }: Conversions): void {
  for (const [element, array] of arrayTypes) {
    const parse = parsers[element] ?? String;
    const serialize = serializers[element] ?? String;
    parsers[array] = (text) => parseArray(text).map((item) => (item === null ? null : parse(item)));
    serializers[array] = (value) =>
      Array.isArray(value) ? `{${value.map((item) => quote(item, serialize)).join(',')}}` : value;
  }
}

/** `{a,"b c",NULL}` → ['a', 'b c', null]. */
function parseArray(text: string): (string | null)[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},]+)/gs)].map(([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gs, '$1');
    return bare === undefined || bare === 'NULL' ? null : bare;
  });
}

function quote(item: unknown, serialize: (value: unknown) => unknown): string {
  if (item === null) return 'null';
  const text = String(serialize(item));
  // Most have nothing to escape, and a pattern needs three times as long.
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
