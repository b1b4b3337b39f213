export type Row = Record<string, unknown>;

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : []);

/** A scalar as text; nothing of anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Sends a GET request to the API. Throws an error with the title and detail of the problem. */
export async function get(path: string, token: string): Promise<Row> {
  const response = await fetch(path, { headers: { Authorization: `Bearer ${token}` } });
  const body: unknown = await response.json();
  if (!isRow(body)) throw new Error(`Status ${String(response.status)}`);
  if (response.ok) return body;
  const [problem = {}] = rowsOf(body['errors']);
  throw new Error(`${textOf(problem['title'])}: ${textOf(problem['detail'])}`);
}
